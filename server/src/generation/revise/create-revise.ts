import { createDocumentReader } from "#search";
import { createAuthor, writingModel } from "../author/author.ts";
import { TokenBudget } from "../author/token-budget.ts";
import type { Revise } from "../contract.ts";
import type { GenerationDeps } from "../create-generation.ts";
import { revise } from "./revise.ts";
import { WarmBenches } from "./warm-benches.ts";

/** Creates what answers persons who talk about their app. Each answer has tokens of its own, each conversation a bench. */
export function createRevise(deps: GenerationDeps): Revise {
  const { resources, model, limits, ids, logger } = deps;
  const benches = new WarmBenches(deps.openBench, logger);
  const check = (models = deps.models) => void writingModel(models, model);
  const run: (...args: Parameters<Revise>) => ReturnType<Revise> = async (request, options) => {
    const { models = deps.models, signal, progress } = options;
    check(models);
    const base = await resources.app(request.app);
    const metered = new TokenBudget(limits.tokens).meter(models);
    const author = createAuthor(metered.resolve(model), limits);
    const reader = createDocumentReader();
    try {
      return await benches.use(request.name, metered, (bench) =>
        revise(request, base, { author, bench, reader, ids, limits, signal, progress }),
      );
    } finally {
      await reader.close();
    }
  };
  return Object.assign(run, { check, close: () => benches.close() });
}
