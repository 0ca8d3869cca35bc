import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type Clock, type Logger, Semaphore } from "#base";
import { type SqlSource, type TablePath, type TableSchema, tableKey } from "#warehouse";
import type { FoundValue } from "../contract.ts";
import { createValueIndex } from "../retrieval/value-index.ts";
import { createProfileStore, type ProfileRows, profileRow, type StoredProfile } from "./profile-store.ts";
import { profileTable, type Reading, type TableProfile } from "./profile-table.ts";

/** Profiles of the tables of one question. */
export interface KnownProfiles {
  of(path: TablePath): TableProfile | undefined;
  /** Values of these tables that a text names. */
  valuesIn(text: string): readonly FoundValue[];
  /** Whether all tables are profiled as they are now; others follow in the background. */
  readonly complete: boolean;
}

interface ProfileOptions {
  /** What the caller may see, where tables show each caller other rows; "" for all. Such profiles are kept in memory only. */
  readonly viewer: string;
  readonly maxScannedBytes: number;
  readonly signal: AbortSignal;
}

/** What values the tables of the warehouse have, read once and kept. */
export interface Profiles {
  /** Waits a moment for tables that are not profiled yet. */
  get(source: SqlSource, schemas: readonly TableSchema[], options: ProfileOptions): Promise<KnownProfiles>;
  /** Stops what runs in the background. */
  close(): Promise<void>;
}

interface ProfilesDeps {
  /** Where profiles outlive the server. Default: nowhere. */
  readonly rows?: ProfileRows | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "error">;
  /** Milliseconds that a question waits for profiles. Default 3,000. */
  readonly waitMs?: number;
}

/** Tables whose profiles are in memory. */
const MAX_TABLES = 5_000;
/** Tables that are profiled at the same time. */
const AT_ONCE = 2;
/** How old a profile may be of a table that does not tell when it changes. */
const MAX_AGE_MS = 3_600_000;
const WAIT_MS = 3_000;
/** Characters of values that are indexed of all tables of one question; each gets an equal part. */
const MAX_INDEXED = 16_000_000;
const MAX_INDEXED_OF_TABLE = 400_000;

/** Creates the profiles (CA-34). */
export function createProfiles({ rows, clock, logger, waitMs = WAIT_MS }: ProfilesDeps): Profiles {
  const stored = createProfileStore(rows);
  const index = createValueIndex();
  const known = new LRUCache<string, StoredProfile>({ max: MAX_TABLES, dispose: (_, key) => index.remove(key) });
  const running = new Map<string, Running>();
  const places = new Semaphore(AT_ONCE);
  const stop = new AbortController();

  function keep(key: string, entry: StoredProfile): void {
    known.set(key, entry);
    index.put(key, { ...entry.profile.values, ...entry.profile.indexed });
  }

  async function profile(key: string, source: SqlSource, schema: TableSchema, options: Reading & ProfileOptions) {
    try {
      const viewer = viewerOf(source, schema, options);
      const leave = await places.acquire(stop.signal);
      const found = await profileTable(source, schema, { ...options, signal: stop.signal }).finally(leave);
      const entry = { profile: found, version: schema.version ?? "", at: clock.now() };
      keep(key, entry);
      if (viewer === "") await stored.put(key, entry, schema.path);
    } catch (error) {
      if (!stop.signal.aborted)
        logger.error({ err: error, table: schema.path.join(".") }, "A table could not be profiled.");
    } finally {
      running.delete(key);
    }
  }

  const isCurrent = ({ version, at }: StoredProfile, schema: TableSchema) =>
    schema.version === undefined ? clock.now() - at < MAX_AGE_MS : version === schema.version;

  return {
    async get(source, schemas, options) {
      const keys = new Map(schemas.map((schema) => [schema, keyOf(source, schema, viewerOf(source, schema, options))]));
      const unknown = [...keys.values()].filter((key) => !known.has(key));
      for (const [key, entry] of await stored.getMany(unknown)) keep(key, entry);
      const maxIndexed = Math.min(MAX_INDEXED_OF_TABLE, Math.floor(MAX_INDEXED / Math.max(1, schemas.length)));
      const work = [...keys].flatMap(([schema, key]) => {
        const entry = known.get(key);
        if (entry && isCurrent(entry, schema)) return [];
        const started = running.get(key) ?? {
          done: profile(key, source, schema, { ...options, maxIndexed }),
          since: clock.now(),
        };
        running.set(key, started);
        return [started];
      });
      // A question waits for what has just begun, so that a catalog of thousands of tables does not hold up each one.
      const begun = Math.max(0, ...work.map(({ since }) => since));
      const wait = waitMs - (clock.now() - begun);
      if (work.length > 0 && wait > 0) await within(wait, Promise.all(work.map(({ done }) => done)), options.signal);
      const byPath = new Map([...keys].map(([{ path }, key]) => [tableKey(path), known.get(key)?.profile]));
      const paths = new Map([...keys].map(([{ path }, key]) => [key, path]));
      return {
        of: (path) => byPath.get(tableKey(path)),
        valuesIn: (text) => index.find(text, paths),
        complete: [...keys.values()].every((key) => !running.has(key)),
      };
    },
    async close() {
      stop.abort();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}

/** A table that is being profiled. */
interface Running {
  readonly done: Promise<void>;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** The row with the profile of a table, as everybody sees it. */
export function profileRowOf(source: Pick<SqlSource, "dialect">, path: TablePath): string {
  return profileRow(keyOf(source, { path }, ""));
}

/** What rules show of the table is a part of what the caller may see. */
function viewerOf({ viewerOf: ruled }: SqlSource, { path }: TableSchema, { viewer }: ProfileOptions): string {
  return `${viewer}${ruled?.(path) ?? ""}`;
}

function keyOf({ dialect }: Pick<SqlSource, "dialect">, { path }: Pick<TableSchema, "path">, viewer: string): string {
  return JSON.stringify([dialect, path, viewer]);
}

/** Waits for the work, but no longer than a moment; rejects when the question is cancelled. */
async function within(milliseconds: number, work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const either = AbortSignal.any([signal, timer.signal]);
  await Promise.race([work, delay(milliseconds, undefined, { signal: either }).catch(() => undefined)]);
  timer.abort();
  signal.throwIfAborted();
}
