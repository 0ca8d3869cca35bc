import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Clock, Logger } from "#base";
import { unavailable } from "#status";
import { SearchError } from "../contract.ts";
import type { Candidate } from "../index/passages.ts";
import { type IndexQuery, SearchIndex } from "../index/search-index.ts";
import type { DocumentSource } from "./source.ts";
import { type SyncDeps, syncIndex, type UnreadItems } from "./sync.ts";

/** A data store on this machine. */
export interface LocalStore {
  /** The best passages. Waits at most 20 s for the first indexing and at most 2 s for changes. Rejects with `SearchError`. */
  search(query: IndexQuery, signal: AbortSignal): Promise<readonly Candidate[]>;
  /** Starts indexing. */
  warm(): void;
  /** Indexes what is new. Rejects with UNAVAILABLE when not all of it could be read. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 20_000;
const CHANGE_WAIT_MS = 2_000;

interface LocalStoreOptions {
  /** For messages. */
  readonly name: string;
  /** The file of its index. */
  readonly path: string;
  readonly source: DocumentSource;
  /** Is told after each indexing whether everything could be read; never rejects. */
  readonly indexed: (error: Error | undefined) => Promise<void>;
}

/** Creates a store with an index at `path`. It reads nothing before the first query or `warm`. */
export function createLocalStore(
  { name, path, source, indexed }: LocalStoreOptions,
  { clock, ...deps }: SyncDeps & { readonly clock: Clock },
): LocalStore {
  const closing = new AbortController();
  let index: SearchIndex | undefined;
  let syncing: Promise<void> | undefined;
  let changed = true;
  let complete = false;
  let syncedAt = 0;
  let fault: unknown;
  let failure: Error | undefined;

  function open(): SearchIndex {
    if (index) return index;
    index = openIndex(path, deps.logger);
    // An index of an earlier run can be searched at once, while changes are indexed.
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
      .then(async (unread) => {
        complete = true;
        syncedAt = clock.now();
        failure = unread.reasons.length > 0 ? someUnread(name, unread) : undefined;
        await indexed(failure);
      })
      .catch(async (error: unknown) => {
        if (closing.signal.aborted) return;
        fault = error;
        changed = true;
        deps.logger.warn({ err: error, store: name }, "a data store could not be indexed");
        failure = unavailable(toSearchError(error, name).message);
        await indexed(failure);
      })
      .finally(() => {
        syncing = undefined;
      });
    return syncing;
  }

  async function waitForSync(signal: AbortSignal): Promise<void> {
    open();
    const isStale = async () => changed || clock.now() - syncedAt > source.refreshMs || (await source.isStale?.());
    if (!(await isStale()) && !syncing) return;
    // A sync in progress may have listed the source before the change.
    const work = syncing ? syncing.then(async () => ((await isStale()) ? sync() : undefined)) : sync();
    const inTime = await completesWithin(complete ? CHANGE_WAIT_MS : FIRST_WAIT_MS, work, signal);
    if (inTime && fault) throw toSearchError(fault, name);
    if (!inTime && !complete)
      throw new SearchError(`The data store '${name}' is still being indexed (${open().count()} documents so far).`);
  }

  return {
    search: async (query, signal) => {
      await waitForSync(signal);
      return open().search(query);
    },
    warm: () => void sync(),
    refresh: async () => {
      await sync();
      if (failure) throw failure;
    },
    close: async () => {
      closing.abort();
      source.close?.();
      await syncing;
      index?.close();
      index = undefined;
    },
  };
}

/** Opens the index; a damaged one is deleted and rebuilt. */
function openIndex(path: string, logger: Logger): SearchIndex {
  try {
    return new SearchIndex(path);
  } catch (error) {
    logger.warn({ err: error, index: path }, "an index cannot be opened; it is rebuilt");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return new SearchIndex(path);
  }
}

/** Whether the work ends within a time limit; it continues either way. */
async function completesWithin(milliseconds: number, work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const timer = new AbortController();
  const timeout = setTimeout(milliseconds, false, { signal: AbortSignal.any([timer.signal, signal]) });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    timer.abort();
    timeout.catch(() => {});
  }
}

function someUnread(name: string, { of, reasons }: UnreadItems): Error {
  const [first] = reasons;
  return unavailable(
    `${reasons.length} of ${of} documents of the data store '${name}' could not be read; the first: ${first}.`,
  );
}

/** Errors for the operator are in the log, not in the conversation. */
function toSearchError(fault: unknown, name: string): SearchError {
  if (fault instanceof SearchError) return fault;
  return new SearchError(`The data store '${name}' cannot be indexed; the server's log says why.`);
}
