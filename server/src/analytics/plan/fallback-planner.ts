import type { Logger } from "#base";
import { modelOrRules } from "./model-or-rules.ts";
import type { Planner } from "./planner.ts";

/** One turn's planner: the language model, and from its first failure on the rules, which is told with what they find. */
export function createFallbackPlanner(model: Planner, rules: Planner, logger: Logger): Planner {
  const either = modelOrRules(model, rules, logger);
  return {
    label: model.label,
    get reconsiders() {
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
