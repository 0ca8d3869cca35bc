import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CircleStop } from "lucide-react";
import { useMemo, useState } from "react";
import { cancelOperation } from "../../api/operations.ts";
import { evaluationOf, pagePath, resourceId, resourceTitle } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { SelectField } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { ComparisonView } from "../../features/evaluations/comparison-view.tsx";
import {
  isActive,
  useAttempts,
  useEvaluationSummaries,
  useRun,
  useRunResults,
  useRuns,
} from "../../features/evaluations/evaluation-queries.ts";
import { LossReportView } from "../../features/evaluations/loss-report-view.tsx";
import { PassRateCards } from "../../features/evaluations/pass-rate-cards.tsx";
import { ResultTable } from "../../features/evaluations/result-table.tsx";
import { RunAgain } from "../../features/evaluations/run-again.tsx";
import { RunProgress } from "../../features/evaluations/run-progress.tsx";
import { RunStateBadge } from "../../features/evaluations/run-state-badge.tsx";
import { passRate } from "../../features/evaluations/statistics.ts";
import { countedVerdicts } from "../../features/evaluations/verdict.ts";
import { useAppName } from "./use-app-name.ts";

/** A run: its progress while it runs, its results, and what changed against another run. */
export function EvaluationRunRoute() {
  const app = useAppName();
  const { run = "" } = useParams({ strict: false });
  const name = `${app}/evaluationRuns/${run}`;
  const found = useRun(name);
  if (found.data) return <OpenRun key={name} app={app} run={found.data} />;
  return (
    <Page title="Run">
      {found.error ? <Banner tone="error" error={toStatusError(found.error)} /> : <Loading>Loading run…</Loading>}
    </Page>
  );
}

interface OpenRunProps {
  readonly app: string;
  readonly run: EvaluationRun;
}

function OpenRun({ app, run }: OpenRunProps) {
  const titles = useTitles(app);
  const rate = useMemo(() => passRate(Object.values(run.evaluationRunSummaries).flatMap(countedVerdicts)), [run]);
  return (
    <Page
      title={resourceTitle(run)}
      actions={isActive(run) ? <CancelButton operation={run.operation} /> : <RunAgain app={app} run={run} />}
    >
      <div className="stack">
        <div className="row wrap">
          <RunStateBadge state={run.state} />
          <span className="muted">
            {run.appVersionDisplayName || "Draft"}, started <DateTime time={run.createTime} />
            {run.continuedRun && <ContinuedRun name={run.continuedRun} />}
          </span>
        </div>
        {run.errorInfo?.errorMessage && <Banner tone="error">{run.errorInfo.errorMessage}</Banner>}
        {isActive(run) && <RunProgress progress={run.progress} />}
        <PassRateCards rates={[{ label: "Pass rate", rate, notRun: run.progress?.cancelledCount ?? 0 }]} />
        <LossReportView run={run} titles={titles} />
        <Comparison app={app} run={run} />
        <Results run={run} titles={titles} />
      </div>
    </Page>
  );
}

/** Names the run that a run goes on with; it may have been deleted. */
function ContinuedRun({ name }: { readonly name: string }) {
  const { data } = useRun(name);
  return (
    <>
      {", continues "}
      {data ? <Link to={pagePath(name)}>{resourceTitle(data)}</Link> : resourceId(name)}
    </>
  );
}

interface ResultsProps {
  readonly run: EvaluationRun;
  readonly titles: ReadonlyMap<string, string>;
}

/** What came of each attempt, as far as it was asked for. */
function Results({ run, titles }: ResultsProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRunResults(run);
  const results = useMemo(() => data?.pages.flatMap((page) => page.results), [data]);
  const repeats = useMemo(
    () => new Set(results?.map(({ name }) => evaluationOf(name))).size < (results?.length ?? 0),
    [results],
  );
  const attempts = useAttempts(run.name, repeats).data;
  const unread = hasNextPage && {
    count: Math.max(1, (run.progress?.totalCount ?? 0) - (results?.length ?? 0)),
    isReading: isFetchingNextPage,
    onRead: () => void fetchNextPage(),
  };
  return (
    <>
      {error && <Banner tone="error" error={toStatusError(error)} />}
      {results && (
        <ResultTable
          results={results}
          titles={titles}
          attempts={repeats ? attempts : undefined}
          unread={unread || undefined}
        />
      )}
      {!results && !error && <Loading>Loading results…</Loading>}
    </>
  );
}

/** Display names by evaluation name. */
function useTitles(app: string): ReadonlyMap<string, string> {
  const { data } = useEvaluationSummaries(app);
  return useMemo(() => new Map((data ?? []).map((evaluation) => [evaluation.name, resourceTitle(evaluation)])), [data]);
}

/** Chooses another run, and shows what changed since. The choice is in the address. */
function Comparison({ app, run }: OpenRunProps) {
  const navigate = useNavigate();
  const { against = "" } = useSearch({ strict: false });
  const runs = useRuns(app).data ?? [];
  const other = against === "" ? "" : `${app}/evaluationRuns/${against}`;
  const before = useRun(other);
  const titles = useTitles(app);
  const choices = runs
    .filter(({ name }) => name !== run.name)
    .map((each) => ({
      value: resourceId(each.name),
      label: resourceTitle(each),
      description: each.appVersionDisplayName || "Draft",
    }));
  if (choices.length === 0) return null;
  return (
    <>
      <SelectField
        label="Compare with"
        value={against}
        choices={[{ value: "", label: "No other run" }, ...choices]}
        onChange={(id) => void navigate({ to: ".", search: id === "" ? {} : { against: id }, replace: true })}
      />
      {before.error && <Banner tone="error" error={toStatusError(before.error)} />}
      {other && before.data && <ComparisonView before={before.data} after={run} titles={titles} />}
    </>
  );
}

/** Ends a run; results that are known stay. */
function CancelButton({ operation }: { readonly operation: string }) {
  const [error, setError] = useState<StatusError>();
  const [cancelling, setCancelling] = useState(false);
  const cancel = async () => {
    setCancelling(true);
    try {
      await cancelOperation(operation);
    } catch (error) {
      setError(toStatusError(error));
      setCancelling(false);
    }
  };
  return (
    <>
      {error && <Banner tone="error" error={error} />}
      <Button onPress={() => void cancel()} isDisabled={cancelling || operation === ""}>
        <CircleStop size={16} aria-hidden="true" /> {cancelling ? "Cancelling…" : "Cancel run"}
      </Button>
    </>
  );
}
