import { percent, percentRange } from "./percent.ts";
import type { PassRate } from "./statistics.ts";
import "../../styles/conversations.css";

interface PassRateCardsProps {
  readonly rates: readonly { readonly label: string; readonly rate: PassRate }[];
}

/** Pass rates with their 95 % intervals. What was not measured is counted apart. */
export function PassRateCards({ rates }: PassRateCardsProps) {
  return (
    <dl className="metric-cards">
      {rates.map(({ label, rate: { n, passed, notMeasured, rate, interval } }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{rate === undefined ? "–" : percent(rate)}</b>
            <span className="muted">
              {passed} of {n} passed{interval && `, 95% interval ${percentRange(interval)}`}
              {notMeasured > 0 && `, ${notMeasured} not measured`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
