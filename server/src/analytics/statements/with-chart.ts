import { planChart } from "../charts/plan-chart.ts";
import { vegaConfig } from "../charts/vega-config.ts";
import type { StatementOutcome } from "./contract.ts";

/** What came of a statement, with the chart of its rows where they make one. */
export function withChart(outcome: StatementOutcome): StatementOutcome {
  const { result } = outcome;
  const plan = result && planChart(result);
  return plan ? { ...outcome, chart: vegaConfig(plan, result) } : outcome;
}
