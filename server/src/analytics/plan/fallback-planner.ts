import type { Logger } from "#base";
import { Code, ConnectError } from "#status";
import { ModelAnswerError } from "./model-planner.ts";
import type { Planner } from "./planner.ts";

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

/** One turn's planner: the language model, and from its first failure on the rules, which is told with what they find. */
export function createFallbackPlanner(model: Planner, rules: Planner, logger: Logger): Planner {
  let warning: string | undefined;

  async function either<Found>(signal: AbortSignal, asked: (planner: Planner) => Promise<Found>): Promise<Found> {
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
  }

  return {
    label: model.label,
    get reconsiders() {
      return warning === undefined;
    },
    get warning() {
      return warning;
    },
    plan: (request, failed) =>
      either(request.signal, (planner) => planner.plan(request, planner === rules ? [] : failed)),
    answer: (request, plan, results) => either(request.signal, (planner) => planner.answer(request, plan, results)),
    writeAnalysis: (request, instruction, results, failed) =>
      either(
        request.signal,
        async (planner) => (await planner.writeAnalysis?.(request, instruction, results, failed)) ?? "",
      ),
  };
}

/** Why the language model is away; undefined where the failure is of another kind. */
export function outage(error: unknown): string | undefined {
  if (error instanceof ModelAnswerError) return error.message;
  if (error instanceof ConnectError && OUTAGES.has(error.code)) return "The language model could not be asked.";
  return undefined;
}
