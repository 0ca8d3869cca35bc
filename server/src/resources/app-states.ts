import type { ResourceRow, ResourceStore } from "#storage";
import { AppState, type Entry } from "./app-state.ts";
import type { ResourceDefinition } from "./define-resource.ts";
import { fromRow } from "./resource.ts";

/** How many apps are held in memory, decoded. */
const MAX_APPS = 64;
/** How often a state is read again because it changed while it was read. */
const MAX_READS = 5;

/** An app's state, and a key that is equal for equal content. */
export interface LoadedState {
  readonly state: AppState;
  readonly generation: string;
}

/** Reads the states of apps; keeps the latest ones. */
export interface AppStates {
  /** The state as stored now, or as it was at this generation of the store. Has no `app` when there is none. */
  load(app: string): Promise<LoadedState>;
  /** Like `load`, but reads the store in any case. */
  reload(app: string): Promise<LoadedState>;
}

interface Held extends LoadedState {
  /** The store's generation when it was read. */
  readonly readAt: number;
}

/** Creates the reader of app states. */
export function createAppStates(store: ResourceStore, definitions: readonly ResourceDefinition[]): AppStates {
  const byType = new Map(definitions.filter(({ scope }) => scope === "app").map((each) => [each.type.type, each]));
  const childTypes = [...byType.keys()];
  const held = new Map<string, Held>();

  async function load(app: string): Promise<LoadedState> {
    const known = held.get(app);
    return known && known.readAt === store.generation(app) ? keep(app, known) : reload(app);
  }

  async function reload(app: string): Promise<LoadedState> {
    for (let reads = 1; ; reads++) {
      const readAt = store.generation(app);
      const [own, children] = await Promise.all([store.get(app), store.children(app, childTypes)]);
      // Two reads can straddle a write; then the generation moved and the pair may not belong together.
      if (store.generation(app) !== readAt && reads < MAX_READS) continue;
      return keep(app, toHeld(app, own ? [own, ...children] : children, readAt));
    }
  }

  function toHeld(app: string, rows: readonly ResourceRow[], readAt: number): Held {
    const before = held.get(app);
    const entries = new Map<string, Entry>();
    let same = rows.length === before?.state.entries.size;
    for (const row of rows) {
      const definition = byType.get(row.type);
      if (!definition) continue;
      const known = before?.state.entries.get(row.name);
      // Decoding costs a hundred times what comparing bytes does, and most rows did not change.
      if (known?.row && isSameRow(known.row, row)) entries.set(row.name, known);
      else {
        same = false;
        entries.set(row.name, { definition, row, resource: fromRow(definition.desc, row) });
      }
    }
    if (before && same) return { ...before, readAt };
    return { state: new AppState(app, entries), generation: String(readAt), readAt };
  }

  function keep(app: string, state: Held): Held {
    held.delete(app);
    held.set(app, state);
    const [oldest] = held.keys();
    if (held.size > MAX_APPS && oldest !== undefined) held.delete(oldest);
    return state;
  }

  return { load, reload };
}

function isSameRow(a: ResourceRow, b: ResourceRow): boolean {
  return a.etag === b.etag && a.updateTime === b.updateTime && Buffer.compare(a.body, b.body) === 0;
}
