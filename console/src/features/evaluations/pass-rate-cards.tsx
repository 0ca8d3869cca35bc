import { percent, percentRange } from "./percent.ts";
import type { PassRate } from "./statistics.ts";
import "../../styles/conversations.css";

interface PassRateCardsProps {
  readonly rates: readonly {
    readonly label: string;
    readonly rate: PassRate;
    /** Results of a cancelled run that never ran. Default 0. */
    readonly notRun?: number;
  }[];
}

/** Pass rates with their 95 % intervals. What was not measured, and what did not run, is counted apart. */
export function PassRateCards({ rates }: PassRateCardsProps) {
  return (
    <dl className="metric-cards">
      {rates.map(({ label, rate: { n, passed, notMeasured, rate, interval }, notRun = 0 }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{rate === undefined ? "–" : percent(rate)}</b>
            <span className="muted">
              {passed} of {n} passed{interval && `, 95% interval ${percentRange(interval)}`}
              {notMeasured > 0 && `, ${notMeasured} not measured`}
              {notRun > 0 && `, ${notRun} did not run`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
