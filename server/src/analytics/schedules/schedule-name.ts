import { namesBelowAgent } from "../agents/data-agent-name.ts";

export const REFRESH_SCHEDULE_TYPE = "geminidataanalytics.googleapis.com/RefreshSchedule";

export const {
  make: newScheduleName,
  check: checkScheduleName,
  agentOf: agentOfSchedule,
} = namesBelowAgent("refreshSchedules", "refresh_schedule");
