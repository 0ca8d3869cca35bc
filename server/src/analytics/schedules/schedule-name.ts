import { formatName, hasWildcard, matchName, parseNamePattern } from "#aip";
import type { Ids } from "#base";
import { invalidArgument } from "#status";
import { checkAgentName } from "../agents/data-agent-name.ts";

export const REFRESH_SCHEDULE_TYPE = "geminidataanalytics.googleapis.com/RefreshSchedule";

const AGENT = parseNamePattern("projects/{project}/locations/{location}/dataAgents/{data_agent}");
const SCHEDULE = parseNamePattern(
  "projects/{project}/locations/{location}/dataAgents/{data_agent}/refreshSchedules/{refresh_schedule}",
);

/** Name of a new schedule of a data agent. Throws INVALID_ARGUMENT for a wrong parent. */
export function newScheduleName(agent: string, ids: Ids): string {
  checkAgentName(agent, "parent");
  return formatName(SCHEDULE, { ...matchName(AGENT, agent), refresh_schedule: ids.uuid() });
}

/** Throws INVALID_ARGUMENT unless the name is that of a schedule. */
export function checkScheduleName(name: string, field: string): void {
  if (matchName(SCHEDULE, name) && !hasWildcard(name)) return;
  throw invalidArgument({ field, description: `'${name}' is not of the form ${SCHEDULE.text}.` });
}

/** The data agent of a schedule. */
export function agentOfSchedule(name: string): string {
  return name.slice(0, name.indexOf("/refreshSchedules/"));
}
