import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { pagePath, resourceId } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import { DescriptionList } from "../../components/description-list.tsx";
import { Table } from "../../components/table.tsx";
import { type ComparedEvaluation, type CountedRun, compareRuns, LEVEL, type RunComparison } from "./compare-runs.ts";
import { CountBadge } from "./count-badge.tsx";
import { percent, points } from "./percent.ts";
import { passRate } from "./statistics.ts";

interface ComparisonViewProps {
  readonly before: CountedRun;
  readonly after: CountedRun;
  /** Display names by evaluation name. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Two runs, case by case, with what the difference proves. Evaluations whose rate changed come first. */
export function ComparisonView({ before, after, titles }: ComparisonViewProps) {
  const comparison = useMemo(() => compareRuns(before, after), [before, after]);
  const rows = useMemo(
    () => comparison.evaluations.toSorted((one, other) => changeOf(one) - changeOf(other)),
    [comparison],
  );
  if (rows.length === 0) return <p className="muted">No evaluation is in both runs.</p>;
  return (
    <div className="stack">
      <section className="card" aria-label="Comparison">
        <p className="page-text">
          <b>{sentenceOf(comparison)}</b>
        </p>
        <DescriptionList facts={factsOf(comparison)} />
      </section>
      <Table
        label="Evaluations in both runs"
        rows={rows}
        keyOf={({ evaluation }) => evaluation}
        columns={[
          {
            id: "evaluation",
            heading: "Evaluation",
            cell: ({ evaluation }) => (
              <Link to={pagePath(evaluation)}>{titles.get(evaluation) ?? resourceId(evaluation)}</Link>
            ),
          },
          { id: "before", heading: "Before", cell: (row) => <CountBadge verdicts={row.before} /> },
          { id: "after", heading: "This run", cell: (row) => <CountBadge verdicts={row.after} /> },
          { id: "change", heading: "Change", cell: (row) => <Change change={changeOf(row)} /> },
        ]}
      />
    </div>
  );
}

function Change({ change }: { readonly change: number }) {
  if (change === 0) return <span className="muted">Same</span>;
  return <Badge tone={change < 0 ? "error" : "success"}>{points(change)}</Badge>;
}

/** The change of the pass rate; 0 when one run did not measure. */
function changeOf({ before, after }: ComparedEvaluation): number {
  const [earlier, later] = [passRate(before).rate, passRate(after).rate];
  return earlier === undefined || later === undefined ? 0 : later - earlier;
}

function sentenceOf({ verdicts: { n, worse, change, pDrop } }: RunComparison): string {
  if (change === undefined || n === 0) return "No evaluation was measured in both runs.";
  if (pDrop <= LEVEL)
    return `This run is worse in ${worse} of ${n} evaluations (${points(change)}), more than chance explains.`;
  if (change < 0) return `${points(change)}: chance explains it.`;
  return change > 0 ? `No drop: ${points(change)}.` : "No drop.";
}

function factsOf({ verdicts, rates }: RunComparison) {
  const { n, notMeasured, worse, better, pDrop, detectableDrop } = verdicts;
  const [low, high] = rates.interval ?? [0, 0];
  return [
    { name: "Evaluations measured in both", value: n },
    { name: "Not measured in one", value: notMeasured },
    { name: "Worse: pass more seldom", value: worse },
    { name: "Better: pass more often", value: better },
    {
      name: "Change of the mean pass rate, 95% interval",
      value: rates.change === undefined ? "–" : `${points(rates.change)} (${points(low)} to ${points(high)})`,
    },
    { name: "Probability by chance (exact sign test)", value: pDrop.toFixed(2) },
    {
      name: "Smallest share of worse evaluations that this would have found",
      value: detectableDrop === undefined ? "None: too few evaluations" : percent(detectableDrop),
    },
  ];
}
