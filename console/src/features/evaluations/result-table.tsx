import type { EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { evaluationOf, pagePath, resourceId } from "../../api/resource-names.ts";
import { DateTime } from "../../components/date-time.tsx";
import { Table, type TableColumn, type UnreadRows } from "../../components/table.tsx";
import { type ResultState, resultState } from "./verdict.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface ResultTableProps {
  readonly results: readonly EvaluationResult[];
  /** Display names by evaluation name. Absent: results are of one evaluation and are named by their time. */
  readonly titles?: ReadonlyMap<string, string>;
  /** The number of each attempt, by result name, where an evaluation has several. */
  readonly attempts?: ReadonlyMap<string, number> | undefined;
  /** Results that are not read yet, and how they are. Absent: all are read. */
  readonly unread?: UnreadRows | undefined;
}

const ORDER: readonly ResultState[] = ["failed", "not-measured", "running", "queued", "cancelled", "passed"];

/** The results of a run, what failed first, or those of an evaluation, newest first. */
export function ResultTable({ results, titles, attempts, unread }: ResultTableProps) {
  const rows = useMemo(() => (titles ? failedFirst(results) : results), [results, titles]);
  const columns = useMemo(() => columnsOf(results, titles, attempts), [results, titles, attempts]);
  return (
    <Table label="Results" rows={rows} keyOf={({ name }) => name} columns={columns} most={AT_ONCE} unread={unread} />
  );
}

/** Rows that are shown at first, and more each time: a run may have ten thousand. */
const AT_ONCE = 500;

/** The columns that have something to show: few results have a persona, and only those that were not measured a reason. */
function columnsOf(
  results: readonly EvaluationResult[],
  titles: ResultTableProps["titles"],
  attempts: ResultTableProps["attempts"],
): readonly TableColumn<EvaluationResult>[] {
  const title = ({ name, displayName }: EvaluationResult) => {
    if (!titles) return displayName;
    const attempt = attempts?.get(name);
    return (
      <>
        <bdi>{titles.get(evaluationOf(name)) ?? resourceId(evaluationOf(name))}</bdi>
        {attempt && `, attempt ${attempt}`}
      </>
    );
  };
  return [
    {
      id: "evaluation",
      heading: titles ? "Evaluation" : "Result",
      cell: (result) => (
        <Link to={pagePath(result.name)} className="cell-name">
          {title(result)}
        </Link>
      ),
    },
    { id: "verdict", heading: "Verdict", cell: (result) => <VerdictBadge state={resultState(result)} /> },
    ...(results.some(({ persona }) => persona) ? [PERSONA] : []),
    ...(results.some(({ errorInfo }) => errorInfo) ? [REASON] : []),
    ...(titles ? [] : [{ id: "version", heading: "Version", cell: versionOf }]),
    { id: "time", heading: "Started", cell: ({ createTime }) => <DateTime time={createTime} /> },
  ];
}

const PERSONA: TableColumn<EvaluationResult> = {
  id: "persona",
  heading: "Persona",
  cell: ({ persona }) => persona?.displayName,
};

const REASON: TableColumn<EvaluationResult> = {
  id: "reason",
  heading: "Reason",
  cell: ({ errorInfo }) => <span className="clamped">{errorInfo?.errorMessage}</span>,
};

function versionOf({ appVersionDisplayName }: EvaluationResult): string {
  return appVersionDisplayName || "Draft";
}

function failedFirst(results: readonly EvaluationResult[]): readonly EvaluationResult[] {
  const rank = (result: EvaluationResult) => ORDER.indexOf(resultState(result));
  return results.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}
