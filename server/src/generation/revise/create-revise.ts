import { createDocumentReader } from "#search";
import { createAuthor, writingModel } from "../author/author.ts";
import { TokenBudget } from "../author/token-budget.ts";
import { BenchOnce } from "../bench-once.ts";
import type { Revise } from "../contract.ts";
import type { GenerationDeps } from "../create-generation.ts";
import { revise } from "./revise.ts";

/** Creates what answers persons who talk about their app. Each answer has tokens and a bench of its own. */
export function createRevise(deps: GenerationDeps): Revise {
  const { resources, model, limits, ids, logger } = deps;
  const check = (models = deps.models) => void writingModel(models, model);
  const run: (...args: Parameters<Revise>) => ReturnType<Revise> = async (request, options) => {
    const { models = deps.models, signal, progress } = options;
    check(models);
    const base = await resources.app(request.app);
    const metered = new TokenBudget(limits.tokens).meter(models);
    const bench = new BenchOnce(() => deps.openBench(metered), logger);
    const reader = createDocumentReader();
    try {
      const author = createAuthor(metered.resolve(model), limits);
      return await revise(request, base, { author, bench: bench.get, reader, ids, limits, signal, progress });
    } finally {
      await Promise.all([bench.close(), reader.close()]);
    }
  };
  return Object.assign(run, { check });
}
