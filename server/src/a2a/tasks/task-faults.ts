import { a2aError, aborted, Code, type ConnectError, resourceExhausted } from "#status";

/** Longest time of one turn, milliseconds: that of any call. */
export const MAX_TURN_MS = 600_000;
/** Most tasks at work at once (A2A-15). */
export const MAX_RUNNING = 2_000;

/** Told when the server stopped in the middle of a turn (A2A-16). */
export const LOST =
  "The server stopped while the agent worked on this message, and nothing of its answer was stored. Send the message again.";

/** Codes of turns that never began because of their message: such a task is rejected, not failed. */
export const CLIENT_ERRORS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.NotFound,
  Code.PermissionDenied,
]);

/** ABORTED for a turn that took longer than a task may; undefined for any other error. */
export function timedOut(error: unknown): ConnectError | undefined {
  if (!(error instanceof Error) || error.name !== "TimeoutError") return undefined;
  return aborted(`The agent did not answer within ${MAX_TURN_MS / 1_000} seconds.`);
}

/** RESOURCE_EXHAUSTED for a message that would begin one task more than the server works on at a time. */
export function tooManyTasks(): ConnectError {
  return resourceExhausted(`The server works on ${MAX_RUNNING} tasks, which is the limit. Try again later.`, {
    reason: "TOO_MANY_TASKS",
    retryMs: 1_000,
  });
}

/** UNSUPPORTED_OPERATION for a message to a conversation that its agent has ended. */
export function contextEnded(contextId: string): ConnectError {
  return a2aError(
    "UNSUPPORTED_OPERATION",
    `The conversation of context '${contextId}' has ended. Leave context_id out to begin another one.`,
    { contextId },
  );
}

/** ABORTED for a message to a task that another request has changed since it was read. */
export function changedMeanwhile(task: string): ConnectError {
  return aborted(`Task '${task}' has changed meanwhile. Get it, and try again if it still waits for input.`, {
    reason: "TASK_CHANGED",
  });
}
