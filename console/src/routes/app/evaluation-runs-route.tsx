import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { EvaluationRun } from "@frontdesk/protos/ces/evaluation";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { DateTime } from "../../components/date-time.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Loading } from "../../components/loading.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { isActive, useRuns } from "../../features/evaluations/evaluation-queries.ts";
import { percent } from "../../features/evaluations/percent.ts";
import { RunStateBadge } from "../../features/evaluations/run-state-badge.tsx";
import "../../styles/conversations.css";
import { useAppName } from "./use-app-name.ts";

const TimePlot = lazy(() => import("../../charts/time-plot.tsx").then((plot) => ({ default: plot.TimePlot })));

/** The runs of an app's evaluations, newest first, and the trend of their pass rates. */
export function EvaluationRunsRoute() {
  return (
    <ListPage
      title="Runs"
      list={useRuns(useAppName())}
      rows="runs"
      empty={{ title: "No runs yet", text: "A run executes evaluations. Start one on the page Evaluations." }}
    >
      {(runs) => (
        <>
          <Trend runs={runs} />
          <RunTable runs={runs} />
        </>
      )}
    </ListPage>
  );
}

function RunTable({ runs }: { readonly runs: readonly EvaluationRun[] }) {
  return (
    <Table
      label="Runs"
      rows={runs}
      keyOf={({ name }) => name}
      columns={[
        { id: "name", heading: "Name", cell: (run) => <Link to={pagePath(run.name)}>{resourceTitle(run)}</Link> },
        { id: "state", heading: "State", cell: (run) => <RunStateBadge state={run.state} /> },
        { id: "version", heading: "Version", cell: (run) => run.appVersionDisplayName || "Draft" },
        { id: "total", heading: "Results", number: true, cell: ({ progress }) => progress?.totalCount ?? 0 },
        { id: "passed", heading: "Passed", number: true, cell: ({ progress }) => progress?.passedCount ?? 0 },
        { id: "failed", heading: "Failed", number: true, cell: ({ progress }) => progress?.failedCount ?? 0 },
        { id: "rest", heading: "Not measured", number: true, cell: notMeasured },
        ...(runs.some((run) => notRun(run) > 0) ? [NOT_RUN] : []),
        { id: "time", heading: "Started", cell: ({ createTime }) => <DateTime time={createTime} /> },
      ]}
    />
  );
}

/** Only a cancelled run has such results. */
const NOT_RUN: TableColumn<EvaluationRun> = { id: "not-run", heading: "Did not run", number: true, cell: notRun };

function notRun({ progress }: EvaluationRun): number {
  return progress?.cancelledCount ?? 0;
}

function notMeasured({ progress }: EvaluationRun): number {
  const { completedCount = 0, passedCount = 0, failedCount = 0, errorCount = 0 } = progress ?? {};
  return completedCount - passedCount - failedCount + errorCount;
}

/** The share of passed results of each run that has ended and was measured; two of them make a trend. */
function Trend({ runs }: { readonly runs: readonly EvaluationRun[] }) {
  const measured = useMemo(
    () =>
      runs.flatMap((run) => {
        const { passedCount = 0, failedCount = 0 } = run.progress ?? {};
        const n = passedCount + failedCount;
        return isActive(run) || !run.createTime || n === 0
          ? []
          : [{ at: timestampMs(run.createTime), rate: passedCount / n }];
      }),
    [runs],
  );
  const ordered = useMemo(() => measured.toSorted((one, other) => one.at - other.at), [measured]);
  const times = useMemo(() => ordered.map(({ at }) => at), [ordered]);
  const series = useMemo(
    () => [{ label: "Pass rate", colour: "--accent", values: ordered.map(({ rate }) => rate) }],
    [ordered],
  );
  const last = ordered.at(-1);
  if (ordered.length < 2 || !last) return null;
  return (
    <Suspense fallback={<Loading>Loading chart…</Loading>}>
      <TimePlot
        title="Pass rate"
        summary={`${ordered.length} runs; ${percent(last.rate)} in the newest.`}
        times={times}
        series={series}
        format={percent}
      />
    </Suspense>
  );
}
