import { locationOf } from "#aip";
import type { Logger } from "#base";
import { failedPrecondition } from "#status";
import type { ResourceStore } from "#storage";
import { agentsReading } from "./agents-reading.ts";

/** Whether a caller may see an agent. */
export type AgentShown = (agent: string) => boolean | Promise<boolean>;

/** The parts of the name of data that somebody brought; its id is the dataset of its tables (CA-45, CA-61). */
export function partsOf(name: string): {
  readonly project: string;
  readonly location: string;
  readonly dataset: string;
} {
  const [, project = "", , , , dataset = ""] = name.split("/", 6);
  return { project, location: locationOf(name), dataset };
}

/** The names of the agents that read what has a name. */
export async function readersOf(store: Pick<ResourceStore, "list">, name: string): Promise<string[]> {
  const { location, dataset } = partsOf(name);
  const agents = await agentsReading(store, location, dataset);
  return agents.map((agent) => agent.name);
}

/** Throws FAILED_PRECONDITION where agents read what is to be removed. It names those that the caller is shown. */
export async function requireUnread(
  store: Pick<ResourceStore, "list">,
  name: string,
  reason: string,
  isShown: AgentShown,
): Promise<void> {
  const agents = await readersOf(store, name);
  if (agents.length === 0) return;
  const shown = await Promise.all(agents.map(isShown));
  const named = agents.filter((_, at) => shown[at]);
  const text = agents.length === 1 ? "a data agent reads it" : `${agents.length} data agents read it`;
  const list = named.length > 0 ? ` (${named.join(", ")})` : "";
  throw failedPrecondition(
    `'${name}' is not removed because ${text}${list}. Take its tables out of them, or remove it with force=true: they can then not be asked about it.`,
    { reason, metadata: { name } },
  );
}

/** Calls `forget` with each dataset of a collection that another server removes. */
export function onRemovedElsewhere(
  { store, logger }: { readonly store: ResourceStore; readonly logger: Logger },
  collection: string,
  forget: (dataset: string) => Promise<void> | undefined,
): void {
  store.onForeignWrite?.((write) => {
    if (write?.name.split("/", 5)[4] !== collection) return;
    store
      .get(write.name)
      .then((row) => (row ? undefined : forget(partsOf(write.name).dataset)))
      .catch((error: unknown) =>
        logger.error(
          { err: error, resource: write.name },
          "data that another server removed could not be removed here",
        ),
      );
  });
}
