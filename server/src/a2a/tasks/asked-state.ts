import { TaskState } from "@frontdesk/protos/a2a/a2a";
import type { JsonObject } from "#base";

/** The variable by which an app says in what state its answer leaves the task; empty at the start of each exchange (A2A-6). */
export const STATE_VARIABLE = "a2a_task_state";

const STATES: Readonly<Record<string, TaskState>> = {
  "input-required": TaskState.INPUT_REQUIRED,
  "auth-required": TaskState.AUTH_REQUIRED,
  rejected: TaskState.REJECTED,
  failed: TaskState.FAILED,
};

/** Whether the app asks to answer with a message: the exchange is over, and there is nothing to track (A2A-20). */
export function asksForMessage({ [STATE_VARIABLE]: asked }: JsonObject): boolean {
  return asked === "message";
}

/** The state that the app asks for; completed when it asks for none, or for one that there is not. */
export function askedState({ [STATE_VARIABLE]: asked }: JsonObject): TaskState {
  return typeof asked === "string" && Object.hasOwn(STATES, asked) ? (STATES[asked] ?? 0) : TaskState.COMPLETED;
}
