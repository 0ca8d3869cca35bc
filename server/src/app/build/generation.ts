import { createGeneration, type Generation } from "#generation";
import type { Operations } from "#operations";
import type { Resources } from "#resources";
import { createGenerationResources } from "#services";
import type { Conversations } from "#session";
import type { Platform } from "./platform.ts";
import { type BuildApp, openTrialServer } from "./trial-server.ts";

/** What generations read and are run by, and how a server to try drafts on is built. */
interface GenerationParts {
  readonly resources: Resources;
  readonly operations: Operations;
  readonly conversations: Conversations;
  readonly build: BuildApp;
}

/** Creates the generations of a server. Each tries its drafts on a trial server of its own. */
export function createAppGeneration(platform: Platform, parts: GenerationParts): Generation {
  const { config, models, sandbox, ids, logger } = platform;
  const { resources, operations, conversations, build } = parts;
  const { model, ...limits } = config.generation;
  return createGeneration({
    resources: createGenerationResources(resources, conversations),
    operations,
    models,
    model,
    openTrialServer: (metered) => openTrialServer({ config, sandbox, models: metered, build }),
    limits,
    ids,
    logger,
  });
}
