import type { DataStores } from "#analytics";
import type { Logger } from "#base";
import type { A2a } from "./a2a.ts";

interface ResealParts {
  readonly data: Pick<DataStores, "connections" | "schedules">;
  readonly a2a: Pick<A2a, "tasks">;
  readonly logger: Logger;
}

/** Names of a kind that one line of the log has. */
const NAMED = 20;

/**
 * Creates the step of retention that seals stored secrets with the newest key (DB-19), so that an old key can be removed. The keys of a server change with its
 * start only, so once for each start is enough. Tells of secrets that no key opens, each time.
 */
export function createResealing({ data, a2a, logger }: ResealParts): () => Promise<object> {
  const kinds = [
    ["passwords of connected databases", () => data.connections.reseal()],
    ["webhooks of schedules", () => data.schedules.reseal()],
    ["push configs of A2A tasks", () => a2a.tasks.reseal()],
  ] as const;
  let isDone = false;
  return async () => {
    if (isDone) return {};
    let total = 0;
    for (const [what, reseal] of kinds) {
      const { resealed, unreadable } = await reseal();
      total += resealed;
      if (unreadable.length > 0)
        logger.warn(
          { count: unreadable.length, names: unreadable.slice(0, NAMED) },
          `${what} are sealed with a key that is not here: add it to the old keys and restart, or set them again`,
        );
    }
    isDone = true;
    return total > 0 ? { resealed: total } : {};
  };
}
