import type { Logger } from "#base";
import { Code, ConnectError } from "#status";
import { ModelAnswerError } from "./model-planner.ts";

/** Refusals of a provider after which the rules answer; what the caller did wrong stays an error. */
const OUTAGES = new Set([
  Code.Unavailable,
  Code.ResourceExhausted,
  Code.DeadlineExceeded,
  Code.Unauthenticated,
  Code.PermissionDenied,
  Code.Internal,
  Code.Unknown,
  Code.FailedPrecondition,
  Code.NotFound,
]);

/** Whoever answers in one turn: a language model, and from its first failure on the rules. */
export interface ModelOrRules<Planner> {
  /** Asks whoever answers now; a caller that left and what the caller did wrong are thrown on. */
  ask<Found>(signal: AbortSignal, asked: (planner: Planner) => Promise<Found>): Promise<Found>;
  /** What the user is told once the rules answer; undefined while the model does. */
  readonly warning: string | undefined;
}

export function modelOrRules<Planner>(model: Planner, rules: Planner, logger: Logger): ModelOrRules<Planner> {
  let warning: string | undefined;
  return {
    async ask(signal, asked) {
      if (warning !== undefined) return asked(rules);
      try {
        return await asked(model);
      } catch (error) {
        signal.throwIfAborted();
        const reason = outage(error);
        if (reason === undefined) throw error;
        logger.warn({ err: error }, "the language model did not answer; the rules do");
        warning = `${reason} The built-in rules answer instead; they understand less.`;
        return asked(rules);
      }
    },
    get warning() {
      return warning;
    },
  };
}

/** Why the language model is away; undefined where the failure is of another kind. */
function outage(error: unknown): string | undefined {
  if (error instanceof ModelAnswerError) return error.message;
  if (error instanceof ConnectError && OUTAGES.has(error.code)) return "The language model could not be asked.";
  return undefined;
}
