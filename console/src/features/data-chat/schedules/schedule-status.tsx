import { type RefreshSchedule, RefreshSchedule_State as State } from "@frontdesk/protos/gda/refresh_schedule";
import { Badge } from "../../../components/badge.tsx";
import { Banner } from "../../../components/banner.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { conditionText, frequencyText } from "./condition-words.ts";

/** When a pinned question is refreshed, how its alert stands, and what went wrong. */
export function ScheduleStatus({ schedule }: { readonly schedule: RefreshSchedule }) {
  const { frequency, paused, nextRunTime, lastError, alert } = schedule;
  return (
    <div className="stack tight">
      <p className="muted">
        {frequencyText(frequency)},{" "}
        {paused ? (
          "paused"
        ) : (
          <>
            next <DateTime time={nextRunTime} />
          </>
        )}
      </p>
      {lastError && <Banner tone="error">The last scheduled run failed: {lastError}</Banner>}
      {alert && (
        <p>
          <Badge tone={alert.state === State.RAISED ? "warning" : "neutral"}>
            {alert.state === State.RAISED ? "Alert" : "No alert"}
          </Badge>{" "}
          {conditionText(alert)}
          {alert.lastValue !== undefined && `: ${alert.lastValue}`}
        </p>
      )}
      {alert?.deliveryError && (
        <Banner tone="error">
          {alert.webhook?.origin} was not told: {alert.deliveryError}
        </Banner>
      )}
    </div>
  );
}
