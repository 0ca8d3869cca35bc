import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Clock, Logger } from "#base";
import { SearchError } from "../contract.ts";
import { type Candidate, type IndexQuery, SearchIndex } from "../index/search-index.ts";
import type { DocumentSource } from "./source.ts";
import { type SyncDeps, syncIndex } from "./sync.ts";

/** A data store on this machine. */
export interface LocalStore {
  /** The best passages. Waits for the first indexing, at most 20 s, and for changes, at most 2 s. Rejects with `SearchError`. */
  search(query: IndexQuery, signal: AbortSignal): Promise<readonly Candidate[]>;
  /** Begins to index. */
  warm(): void;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 20_000;
const CHANGE_WAIT_MS = 2_000;

/** Creates a store over an index at `path`; nothing is read before the first question or `warm`. */
export function createLocalStore(
  { name, path, source }: { readonly name: string; readonly path: string; readonly source: DocumentSource },
  { clock, ...deps }: SyncDeps & { readonly clock: Clock },
): LocalStore {
  const closing = new AbortController();
  let index: SearchIndex | undefined;
  let syncing: Promise<void> | undefined;
  let changed = true;
  let complete = false;
  let syncedAt = 0;
  let fault: unknown;

  function open(): SearchIndex {
    if (index) return index;
    index = openIndex(path, deps.logger);
    // What an earlier run indexed can be asked at once, while changes are looked for.
    complete = index.files().length > 0 && index.files().every(({ stamp }) => stamp !== "");
    return index;
  }

  function sync(): Promise<void> {
    if (syncing) return syncing;
    changed = false;
    fault = undefined;
    source.watch?.(() => {
      changed = true;
    });
    syncing = syncIndex(open(), source, deps, closing.signal)
      .then(() => {
        complete = true;
        syncedAt = clock.now();
      })
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        fault = error;
        changed = true;
        deps.logger.warn({ err: error, store: name }, "a data store could not be indexed");
      })
      .finally(() => {
        syncing = undefined;
      });
    return syncing;
  }

  async function freshen(signal: AbortSignal): Promise<void> {
    open();
    const isStale = async () => changed || clock.now() - syncedAt > source.refreshMs || (await source.isStale?.());
    if (!(await isStale()) && !syncing) return;
    // A round that was under way already may have listed before the change.
    const work = syncing ? syncing.then(async () => ((await isStale()) ? sync() : undefined)) : sync();
    const inTime = await within(complete ? CHANGE_WAIT_MS : FIRST_WAIT_MS, work, signal);
    if (inTime && fault) throw asSearchError(fault, name);
    if (!inTime && !complete)
      throw new SearchError(`The data store '${name}' is still being indexed (${open().count()} documents so far).`);
  }

  return {
    search: async (query, signal) => {
      await freshen(signal);
      return open().search(query);
    },
    warm: () => void sync(),
    close: async () => {
      closing.abort();
      source.close?.();
      await syncing;
      index?.close();
      index = undefined;
    },
  };
}

/** An index that was damaged is thrown away: it can be made again. */
function openIndex(path: string, logger: Logger): SearchIndex {
  try {
    return new SearchIndex(path);
  } catch (error) {
    logger.warn({ err: error, index: path }, "an index cannot be opened; it is made anew");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return new SearchIndex(path);
  }
}

/** Whether work ended in time; it goes on either way. */
async function within(milliseconds: number, work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const timer = new AbortController();
  const late = setTimeout(milliseconds, false, { signal: AbortSignal.any([timer.signal, signal]) });
  try {
    return await Promise.race([work.then(() => true), late]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

/** What is nobody's but the operator's is in the log, not in the conversation. */
function asSearchError(fault: unknown, name: string): SearchError {
  if (fault instanceof SearchError) return fault;
  return new SearchError(`The data store '${name}' cannot be indexed; the server's log says why.`);
}
