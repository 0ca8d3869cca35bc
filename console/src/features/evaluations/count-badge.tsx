import { Badge } from "../../components/badge.tsx";
import { passRate, type Verdict } from "./statistics.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

/** Verdicts of one evaluation as one badge: the verdict, or how many of how many passed. */
export function CountBadge({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  const { n, passed, notMeasured } = passRate(verdicts);
  if (verdicts.length === 0) return <span className="muted">–</span>;
  if (n === 0) return <VerdictBadge state="not-measured" />;
  if (verdicts.length === 1) return <VerdictBadge state={passed === 1 ? "passed" : "failed"} />;
  return (
    <span className="row wrap tight">
      <Badge tone={passed === n ? "success" : "error"}>
        {passed} of {n} passed
      </Badge>
      {notMeasured > 0 && <Badge tone="warning">{notMeasured} not measured</Badge>}
    </span>
  );
}
