import {
  RefreshSchedule_Aggregate as Aggregate,
  type RefreshSchedule_Alert as Alert,
  RefreshSchedule_Comparison as Comparison,
  type RefreshSchedule,
} from "@frontdesk/protos/gda/refresh_schedule";
import { agentOfSchedule } from "./schedule-name.ts";
import type { Delivery } from "./schedule-rows.ts";

/** What a webhook is told of a crossing, as JSON text: the same for every attempt (CA-53). */
export function alertBody({ name, question }: RefreshSchedule, alert: Alert, { value, time }: Delivery): string {
  const { column, aggregate, comparison, threshold } = alert;
  return JSON.stringify({
    type: "alert.raised",
    timestamp: new Date(time).toISOString(),
    data: {
      dataAgent: agentOfSchedule(name),
      refreshSchedule: name,
      question,
      column,
      aggregate: Aggregate[aggregate],
      comparison: Comparison[comparison],
      threshold,
      value,
    },
  });
}
