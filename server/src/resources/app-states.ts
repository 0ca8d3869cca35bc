import { LRUCache } from "lru-cache";
import { createPauses } from "#base";
import type { ResourceRow, ResourceStore } from "#storage";
import { AppState, type Entry } from "./app-state.ts";
import type { ResourceDefinition } from "./define-resource.ts";
import { fromLargeRow } from "./resource.ts";

/** Apps in the cache, decoded, and what their rows in the store come to. */
const MAX_APPS = 1_024;
const MAX_BYTES = 2 ** 27;
/** Reads of a state, at most, when it changes while it is read. */
const MAX_READS = 5;
/** Changed rows of a cached state that are read by their names; with more, all rows are read. */
const MAX_CHANGED = 200;

/** An app's state, and a key that is equal for equal content. */
interface LoadedState {
  readonly state: AppState;
  readonly generation: string;
}

/** Reads the states of apps, with a cache of the latest ones. */
export interface AppStates {
  /** The stored state, from the cache while the store's generation is the same. Without `app` when the app does not exist. */
  load(app: string): Promise<LoadedState>;
  /** Like `load`, but always reads the store. */
  reload(app: string): Promise<LoadedState>;
}

interface CachedState extends LoadedState {
  /** The store's generation when it was read. */
  readonly readAt: number;
}

/** Creates the cache of app states. */
export function createAppStates(store: ResourceStore, definitions: readonly ResourceDefinition[]): AppStates {
  const byType = new Map(definitions.filter(({ scope }) => scope === "app").map((each) => [each.type.type, each]));
  const childTypes = [...byType.keys()];
  const cache = new LRUCache<string, CachedState>({ max: MAX_APPS, maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  const reading = new Map<string, { readonly readAt: number; readonly state: Promise<LoadedState> }>();
  const generationOf = (app: string) => store.generation(app, childTypes);

  async function load(app: string): Promise<LoadedState> {
    // What another server wrote before this call is seen by it (DB-7).
    if (store.refresh) await store.refresh();
    const known = cache.get(app);
    const readAt = generationOf(app);
    if (known?.readAt === readAt) return known;
    const running = reading.get(app);
    // A large app is read for a while: calls that need the same rows wait together.
    if (running?.readAt === readAt) return running.state;
    const state = known ? loadChanged(app, known) : reload(app);
    reading.set(app, { readAt, state });
    try {
      return await state;
    } finally {
      if (reading.get(app)?.state === state) reading.delete(app);
    }
  }

  async function reload(app: string): Promise<LoadedState> {
    for (let reads = 1; ; reads++) {
      const readAt = generationOf(app);
      const rows = await store.withChildren(app, childTypes);
      const before = cache.get(app);
      const entries = await toEntries(rows, byType, before?.state.entries);
      // A write while they were read changes the generation; the rows of a large app may then be inconsistent.
      if (generationOf(app) !== readAt && reads < MAX_READS) continue;
      if (before && entries.size === before.state.entries.size && isPartOf(before.state, entries))
        return put(app, { ...before, readAt });
      return put(app, { state: new AppState(app, entries), generation: String(readAt), readAt });
    }
  }

  /** Reads the rows of a cached state that changed: one of the ten thousand evaluations of an app, in place of all. */
  async function loadChanged(app: string, known: CachedState): Promise<LoadedState> {
    for (let reads = 1; reads <= MAX_READS; reads++) {
      const readAt = generationOf(app);
      const names = store.changedSince(known.readAt, app, childTypes);
      if (names === undefined || names.length > MAX_CHANGED) break;
      const rows = await store.getMany(names);
      const found = await toEntries([...rows.values()], byType, known.state.entries);
      if (generationOf(app) !== readAt) continue;
      const changes = new Map(names.map((name) => [name, found.get(name)]));
      if (isPartOf(known.state, changes)) return put(app, { ...known, readAt });
      const state = known.state.with(changes);
      const isAdded = names.some((name) => found.has(name) && !known.state.has(name));
      const ordered = isAdded ? state.inOrder(byTypeAndName) : state;
      return put(app, { state: ordered, generation: String(readAt), readAt });
    }
    return reload(app);
  }

  function put(app: string, state: CachedState): CachedState {
    cache.set(app, state);
    return state;
  }

  return { load, reload };
}

/** Entries by the names of their rows. Those of unchanged rows are the known ones: decoding costs a hundred times as much as comparing bytes. */
async function toEntries(
  rows: readonly ResourceRow[],
  byType: ReadonlyMap<string, ResourceDefinition>,
  known: AppState["entries"] = new Map(),
): Promise<Map<string, Entry>> {
  const pause = createPauses();
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const definition = byType.get(row.type);
    if (!definition) continue;
    const before = known.get(row.name);
    const isSame = before?.row && isSameRow(before.row, row);
    entries.set(row.name, isSame ? before : { definition, row, resource: await fromLargeRow(definition.desc, row) });
    await pause();
  }
  return entries;
}

/** Bytes of an app's rows. An app that is larger than the cache is kept alone. */
function sizeOf({ state }: CachedState): number {
  let bytes = 1;
  for (const { row } of state.entries.values()) bytes += row?.body.length ?? 0;
  return Math.min(bytes, MAX_BYTES);
}

/** Whether a state has these entries, and none where they are undefined. */
function isPartOf(state: AppState, entries: ReadonlyMap<string, Entry | undefined>): boolean {
  return [...entries].every(([name, entry]) => state.entries.get(name) === entry);
}

/** The order in which the store reads them. */
function byTypeAndName([a, { definition: of }]: [string, Entry], [b, { definition: and }]: [string, Entry]): number {
  const [first, second] = of === and ? [a, b] : [of.type.type, and.type.type];
  return first < second ? -1 : 1;
}

function isSameRow(a: ResourceRow, b: ResourceRow): boolean {
  return a.etag === b.etag && a.updateTime === b.updateTime && Buffer.compare(a.body, b.body) === 0;
}
