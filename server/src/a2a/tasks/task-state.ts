import { TaskState } from "@frontdesk/protos/a2a/a2a";

const ENDED: ReadonlySet<TaskState> = new Set([
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.REJECTED,
]);

const INTERRUPTED: ReadonlySet<TaskState> = new Set([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);

/** Whether nothing can happen to a task any more (A2A 1.0, section 4.1.3: terminal states). */
export function hasEnded(state: TaskState): boolean {
  return ENDED.has(state);
}

/** Whether a task waits for its client. */
function isInterrupted(state: TaskState): boolean {
  return INTERRUPTED.has(state);
}

/** Whether nothing happens to a task unless its client acts. */
export function isAtRest(state: TaskState): boolean {
  return hasEnded(state) || isInterrupted(state);
}

/** `completed`, `input required`: as texts tell it. */
export function stateText(state: TaskState): string {
  return (TaskState[state] ?? "UNSPECIFIED").toLowerCase().replaceAll("_", " ");
}
