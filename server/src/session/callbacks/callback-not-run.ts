import { failedPrecondition, resourceExhausted } from "#status";
import type { UserCodeFailed } from "#tools";
import { ModelFailure } from "../model-call/model-failure.ts";
import type { CallbackStage } from "./agent-callbacks.ts";

/** When a guest may be free again, milliseconds. */
const RETRY_MS = 1_000;

/**
 * A callback that could not run: its call is too large or too slow, or found no free guest. A callback may be a guard, so nothing that it
 * would see goes on without it (CB-21). The app handles it like a failure of its model; without settings the client gets
 * RESOURCE_EXHAUSTED when there was no free guest, and FAILED_PRECONDITION otherwise.
 */
export class CallbackNotRun extends ModelFailure {
  constructor(agent: string, stage: CallbackStage, filename: string, { cause, error }: UserCodeFailed) {
    const message = `The ${stage} callback of agent '${agent}' could not run (${filename}: ${error}), so nothing went on without it.`;
    const info = { reason: "CALLBACK_NOT_RUN", metadata: { stage, cause } };
    super(
      "callback_not_run",
      cause === "exhausted"
        ? resourceExhausted(message, { ...info, retryMs: RETRY_MS })
        : failedPrecondition(message, info),
    );
  }
}

/**
 * Whether code did not come to a result of its own: it was too large or too slow, was terminated, or never began. Any other exception
 * is the code's own result.
 */
export function couldNotRun({ cause, type }: UserCodeFailed): boolean {
  return cause !== "raised" || type === "MemoryError" || type === "RecursionError";
}
