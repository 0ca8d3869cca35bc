import { createDocumentReader } from "#search";
import { createAuthor, writingModel } from "../author/author.ts";
import { TokenBudget } from "../author/token-budget.ts";
import type { Revise } from "../contract.ts";
import type { GenerationDeps } from "../create-generation.ts";
import { revise } from "./revise.ts";
import { TrialServerPool } from "./trial-server-pool.ts";

/** Creates what answers persons who talk about their app. Each answer has tokens of its own, each conversation a trial server. */
export function createRevise(deps: GenerationDeps): Revise {
  const { resources, model, limits, ids, logger } = deps;
  const trialServers = new TrialServerPool(deps.openTrialServer, logger);
  const check = (models = deps.models) => void writingModel(models, model);
  const run: (...args: Parameters<Revise>) => ReturnType<Revise> = async (request, options) => {
    const { models = deps.models, signal, progress } = options;
    check(models);
    const base = await resources.app(request.app);
    const metered = new TokenBudget(limits.tokens).meter(models);
    const author = createAuthor(metered.resolve(model), limits);
    const reader = createDocumentReader();
    try {
      return await trialServers.use(request.name, metered, (trialServer) =>
        revise(request, base, { author, trialServer, reader, ids, limits, signal, progress }),
      );
    } finally {
      await reader.close();
    }
  };
  return Object.assign(run, { check, close: () => trialServers.close() });
}
