import { Job_State as State } from "@frontdesk/protos/operations/job_service";

/** The states of operations by their names in addresses; "all" asks for each of them. */
export const JOB_STATES = {
  all: { value: State.STATE_UNSPECIFIED, label: "All", tone: "neutral" },
  running: { value: State.RUNNING, label: "Running", tone: "success" },
  waiting: { value: State.WAITING, label: "Waiting", tone: "warning" },
  succeeded: { value: State.SUCCEEDED, label: "Succeeded", tone: "neutral" },
  failed: { value: State.FAILED, label: "Failed", tone: "error" },
  dead: { value: State.DEAD, label: "Dead letter", tone: "error" },
} as const;
export type JobStateName = keyof typeof JOB_STATES;
