import { create } from "@bufbuild/protobuf";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { evaluations } from "../../api/evaluation-resources.ts";
import { useMay } from "../../api/permissions.ts";
import { pagePath, resourceId, resourceTitle } from "../../api/resource-names.ts";
import { versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox, SelectField } from "../../components/field.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { CountBadge } from "../../features/evaluations/count-badge.tsx";
import { EvaluationFiles } from "../../features/evaluations/evaluation-files.tsx";
import { useEvaluationSummaries } from "../../features/evaluations/evaluation-queries.ts";
import { type EvaluationsSearch, readEvaluationsSearch } from "../../features/evaluations/evaluation-search.ts";
import { EvaluationSelection } from "../../features/evaluations/evaluation-selection.tsx";
import { EvaluationsFilter } from "../../features/evaluations/evaluations-filter.tsx";
import { narrowEvaluations } from "../../features/evaluations/narrow-evaluations.ts";
import { PassRateCards } from "../../features/evaluations/pass-rate-cards.tsx";
import { RunDialog } from "../../features/evaluations/run-dialog.tsx";
import { passRate } from "../../features/evaluations/statistics.ts";
import { countedVerdicts, evaluatedVersions } from "../../features/evaluations/verdicts-by-version.ts";
import { CreateDialog } from "../../features/resources/create-dialog.tsx";
import { LockedNotice } from "../../features/resources/locked-notice.tsx";
import { useSelection } from "../../features/resources/use-selection.ts";
import { useAppName } from "./use-app-name.ts";

/** The evaluations of an app as a matrix: one row an evaluation, one column a version that was evaluated. */
export function EvaluationsRoute() {
  const app = useAppName();
  const may = useMay(app);
  const mayCreate = may("ces.evaluations.create");
  const navigate = useNavigate();
  const list = useEvaluationSummaries(app);
  const { chosen, choose, select } = useSelection();
  const [running, setRunning] = useState(false);
  const [creating, setCreating] = useState(false);
  const all = list.data ?? [];
  const search: EvaluationsSearch = readEvaluationsSearch(useSearch({ strict: false }));
  const evaluated = useEvaluatedVersions(app, list.data);
  const { id: version = "", title: versionTitle = "Draft" } = evaluated[0] ?? {};
  const shown = useMemo(() => narrowEvaluations(list.data ?? [], search, version), [list.data, search, version]);
  const selected = all.map(({ name }) => name).filter((name) => chosen.has(name));
  const subject = selected.length > 0 ? selected : shown.map(({ name }) => name);
  return (
    <>
      <ListPage
        notice={<LockedNotice name={app} />}
        title="Evaluations"
        list={list}
        rows="evaluations"
        create={mayCreate ? { label: "Create evaluation", onPress: () => setCreating(true) } : undefined}
        actions={
          <>
            <EvaluationFiles app={app} names={subject} />
            {may("ces.apps.runEvaluation") && (
              <RunButton shown={shown} all={all} selected={selected} onPress={() => setRunning(true)} />
            )}
          </>
        }
        filter={
          all.length > 0 && (
            <EvaluationsFilter
              evaluations={all}
              search={search}
              version={versionTitle}
              onChange={(next) => void navigate({ to: ".", search: readEvaluationsSearch({ ...next }), replace: true })}
            />
          )
        }
        empty={EMPTY}
      >
        {() => (
          <>
            <EvaluationSelection
              app={app}
              all={all.length}
              shown={shown.map(({ name }) => name)}
              selected={selected}
              onSelect={select}
            />
            <Matrix rows={shown} evaluated={evaluated} chosen={chosen} onChoose={choose} />
          </>
        )}
      </ListPage>
      {running && (
        <RunDialog
          app={app}
          evaluations={subject}
          title={titleOf(selected.length || shown.length, all.length)}
          onClose={() => setRunning(false)}
        />
      )}
      {creating && (
        <CreateEvaluationDialog
          app={app}
          onCreated={({ name }) => void navigate({ to: pagePath(name) })}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

const EMPTY = {
  title: "No evaluations yet",
  text: "An evaluation is a conversation and what the app should do in it. Create one, or open a conversation and save it as an evaluation.",
};

interface RunButtonProps {
  readonly shown: readonly Evaluation[];
  readonly all: readonly Evaluation[];
  readonly selected: readonly string[];
  readonly onPress: () => void;
}

function RunButton({ shown, all, selected, onPress }: RunButtonProps) {
  const some = shown.length < all.length ? `${shown.length} shown` : "all";
  if (all.length === 0) return null;
  return (
    <Button onPress={onPress} isDisabled={selected.length === 0 && shown.length === 0}>
      <Play size={16} aria-hidden="true" /> Run {selected.length > 0 ? `${selected.length} selected` : some}
    </Button>
  );
}

/** What a run of so many evaluations is called; a run of one has the name of the evaluation. */
function titleOf(count: number, all: number): string | undefined {
  if (count === 1) return undefined;
  return count === all ? "All evaluations" : `${count.toLocaleString()} evaluations`;
}

/** The versions with results, the columns of the matrix. */
function useEvaluatedVersions(app: string, rows: readonly Evaluation[] | undefined) {
  const frozen = useResources(versions, app).data;
  return useMemo(() => evaluatedVersions(rows ?? [], frozen ?? []), [rows, frozen]);
}

interface MatrixProps {
  readonly rows: readonly Evaluation[];
  readonly evaluated: ReturnType<typeof evaluatedVersions>;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (name: string, chosen: boolean) => void;
}

interface Row {
  readonly evaluation: Evaluation;
  readonly isChosen: boolean;
}

function Matrix({ rows, evaluated, chosen, onChoose }: MatrixProps) {
  const columns = useMemo(
    (): readonly TableColumn<Row>[] => [
      {
        id: "chosen",
        heading: "Select",
        cell: ({ evaluation, isChosen }) => (
          <Checkbox
            label={`Select ${resourceTitle(evaluation)}`}
            selected={isChosen}
            onChange={(selected) => onChoose(evaluation.name, selected)}
          />
        ),
      },
      { id: "name", heading: "Name", cell: ({ evaluation }) => <Title evaluation={evaluation} /> },
      ...evaluated.map(({ id, title }) => ({
        id: `version-${id}`,
        heading: title,
        cell: ({ evaluation }: Row) => <CountBadge verdicts={countedVerdicts(evaluation, id)} />,
      })),
      {
        id: "type",
        heading: "Type",
        cell: ({ evaluation }) => (evaluation.inputs.case === "scenario" ? "Scenario" : "Golden"),
      },
      {
        id: "tags",
        heading: "Tags",
        cell: ({ evaluation }) => (
          <span className="row wrap tight">
            {evaluation.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        ),
      },
    ],
    [evaluated, onChoose],
  );
  const rates = evaluated.map(({ id, title }) => ({
    label: title,
    rate: passRate(rows.flatMap((evaluation) => countedVerdicts(evaluation, id))),
  }));
  if (rows.length === 0) return <p className="muted">No evaluation fits.</p>;
  return (
    <>
      {rates.length > 0 && <PassRateCards rates={rates} />}
      <Table
        label="Evaluations"
        rows={rows.map((evaluation) => ({ evaluation, isChosen: chosen.has(evaluation.name) }))}
        keyOf={({ evaluation }) => evaluation.name}
        columns={columns}
      />
    </>
  );
}

function Title({ evaluation }: { readonly evaluation: Evaluation }) {
  return (
    <div className="opening">
      <Link to={pagePath(evaluation.name)}>{resourceTitle(evaluation)}</Link>
      <span className="muted">{evaluation.description || resourceId(evaluation.name)}</span>
    </div>
  );
}

type Kind = "golden" | "scenario";

interface CreateEvaluationDialogProps {
  readonly app: string;
  readonly onCreated: (created: Evaluation) => void;
  readonly onClose: () => void;
}

function CreateEvaluationDialog({ app, onCreated, onClose }: CreateEvaluationDialogProps) {
  const [kind, setKind] = useState<Kind>("golden");
  return (
    <CreateDialog
      kind={evaluations}
      parent={app}
      title="Create evaluation"
      make={(displayName) => create(EvaluationSchema, { displayName, inputs: BEGUN[kind] })}
      onCreated={onCreated}
      onClose={onClose}
    >
      <SelectField<Kind>
        label="Type"
        value={kind}
        onChange={setKind}
        choices={[
          {
            value: "golden",
            label: "Golden",
            description: "The turns of a conversation and what is expected of each.",
          },
          { value: "scenario", label: "Scenario", description: "A task that a simulated user pursues." },
        ]}
      />
    </CreateDialog>
  );
}

/** What a new evaluation has: the fields that the server requires. */
const BEGUN = {
  golden: {
    case: "golden" as const,
    value: {
      turns: [
        {
          steps: [
            { step: { case: "userInput" as const, value: { inputType: { case: "text" as const, value: "Hello" } } } },
          ],
        },
      ],
    },
  },
  scenario: {
    case: "scenario" as const,
    value: { task: "Describe what the user wants.", rubrics: ["The agent is polite."] },
  },
};
