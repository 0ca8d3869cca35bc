import type { Logger } from "#base";
import { Code, ConnectError } from "#status";
import { ModelAnswerError } from "./model-planner.ts";
import type { Planner } from "./planner.ts";

/** Errors of a provider after which the rules answer. Errors of the caller stay errors. */
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

/** Answers in one turn: the language model, and from its first failure on the rules. */
interface Fallback<AnyPlanner> {
  /** Calls the planner that answers now. Rethrows an abort and errors of the caller. */
  ask<Found>(signal: AbortSignal, call: (planner: AnyPlanner) => Promise<Found>): Promise<Found>;
  /** The warning for the user once the rules answer; undefined while the model does. */
  readonly warning: string | undefined;
}

/** Begins with the model; made anew for each turn, so that the next one asks the model again. */
export function createFallback<AnyPlanner>(model: AnyPlanner, rules: AnyPlanner, logger: Logger): Fallback<AnyPlanner> {
  let warning: string | undefined;
  return {
    async ask(signal, call) {
      if (warning !== undefined) return call(rules);
      try {
        return await call(model);
      } catch (error) {
        signal.throwIfAborted();
        const reason = outage(error);
        if (reason === undefined) throw error;
        logger.warn({ err: error }, "the language model failed; the rules answer");
        warning = `${reason} The built-in rules answer instead; they understand less.`;
        return call(rules);
      }
    },
    get warning() {
      return warning;
    },
  };
}

/** Why the language model is not available; undefined for other errors. */
function outage(error: unknown): string | undefined {
  if (error instanceof ModelAnswerError) return error.message;
  if (error instanceof ConnectError && OUTAGES.has(error.code)) return "The language model could not be asked.";
  return undefined;
}

/** A planner for one turn: the language model, and from its first failure on the rules, with a warning. */
export function createFallbackPlanner(model: Planner, rules: Planner, logger: Logger): Planner {
  const either = createFallback(model, rules, logger);
  return {
    label: model.label,
    get retriesEmptyResults() {
      return either.warning === undefined;
    },
    get warning() {
      return either.warning;
    },
    plan: (request, failed) =>
      either.ask(request.signal, (planner) => planner.plan(request, planner === rules ? [] : failed)),
    answer: (request, plan, results) => either.ask(request.signal, (planner) => planner.answer(request, plan, results)),
    writeAnalysis: (request, instruction, results, failed) =>
      either.ask(
        request.signal,
        async (planner) => (await planner.writeAnalysis?.(request, instruction, results, failed)) ?? "",
      ),
  };
}
