import type { TaskState } from "@frontdesk/protos/a2a/a2a";
import { a2aError, invalidArgument } from "#status";
import type { TaskRow } from "#storage";
import type { A2aCall, A2aDeps } from "../contract.ts";
import { hasEnded, isAtRest, stateText } from "./task-state.ts";

/** A task of the caller. TASK_NOT_FOUND for those of others too (A2A-4). */
export async function findRow(
  id: string,
  { agent, owner }: A2aCall,
  { store }: Pick<A2aDeps, "store">,
): Promise<TaskRow> {
  const row = await store.get(id);
  if (row && row.tenant === agent.tenant && row.owner === owner) return row;
  throw a2aError("TASK_NOT_FOUND", `Task '${id}' was not found.`, { taskId: id });
}

/** Throws unless the task is in the context that a message names. */
export function checkContext({ id, contextId }: TaskRow, given: string): void {
  if (given === "" || given === contextId) return;
  const description = `is not the context of task '${id}', which is '${contextId}'; leave one of them out`;
  throw invalidArgument({ field: "message.context_id", description });
}

/** Throws unless the task takes another message. */
export function checkContinues({ id, state }: TaskRow): void {
  if (hasEnded(state)) throw ended(id, state, "takes no further messages; leave task_id out to begin another task");
  if (isAtRest(state)) return;
  throw a2aError("UNSUPPORTED_OPERATION", `Task '${id}' is still working on the last message. Wait until it is done.`, {
    taskId: id,
  });
}

/** UNSUPPORTED_OPERATION for a task that has ended; `consequence` completes "is completed and …". */
export function ended(id: string, state: TaskState, consequence: string) {
  return a2aError("UNSUPPORTED_OPERATION", `Task '${id}' is ${stateText(state)} and ${consequence}.`, { taskId: id });
}

/** TASK_NOT_CANCELABLE for a task that has ended. */
export function notCancelable(id: string, state: TaskState) {
  return a2aError("TASK_NOT_CANCELABLE", `Task '${id}' is ${stateText(state)} and cannot be canceled.`, { taskId: id });
}
