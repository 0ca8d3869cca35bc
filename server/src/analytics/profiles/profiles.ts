import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock, Logger } from "#base";
import type { SqlSource, TablePath, TableSchema } from "#warehouse";
import { createProfileStore, type ProfileRows, type StoredProfile } from "./profile-store.ts";
import { profileTable, type TableProfile } from "./profile-table.ts";

/** Profiles of the tables of one question. */
export interface KnownProfiles {
  of(path: TablePath): TableProfile | undefined;
  /** Whether all tables are profiled as they are now; others follow in the background. */
  readonly complete: boolean;
}

export interface ProfileOptions {
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

export interface ProfilesDeps {
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

/** Creates the profiles (CA-34). */
export function createProfiles({ rows, clock, logger, waitMs = WAIT_MS }: ProfilesDeps): Profiles {
  const stored = createProfileStore(rows);
  const known = new LRUCache<string, StoredProfile>({ max: MAX_TABLES });
  const running = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  const stop = new AbortController();
  let free = AT_ONCE;

  async function profile(key: string, source: SqlSource, schema: TableSchema, options: ProfileOptions): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const { maxScannedBytes, viewer } = options;
      const found = await profileTable(source, schema, { maxScannedBytes, signal: stop.signal });
      const entry = { profile: found, version: schema.version ?? "", at: clock.now() };
      known.set(key, entry);
      if (viewer === "") await stored.put(key, entry);
    } catch (error) {
      if (!stop.signal.aborted)
        logger.error({ err: error, table: schema.path.join(".") }, "A table could not be profiled.");
    } finally {
      running.delete(key);
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  }

  const isCurrent = ({ version, at }: StoredProfile, schema: TableSchema) =>
    schema.version === undefined ? clock.now() - at < MAX_AGE_MS : version === schema.version;

  return {
    async get(source, schemas, options) {
      const keys = new Map(schemas.map((schema) => [schema, keyOf(source, schema, options.viewer)]));
      const unknown = [...keys.values()].filter((key) => !known.has(key));
      for (const [key, entry] of await stored.getMany(unknown)) known.set(key, entry);
      const work = [...keys].flatMap(([schema, key]) => {
        const entry = known.get(key);
        if (entry && isCurrent(entry, schema)) return [];
        const started = running.get(key) ?? profile(key, source, schema, options);
        running.set(key, started);
        return [started];
      });
      if (work.length > 0) await within(waitMs, Promise.all(work), options.signal);
      const byPath = new Map([...keys].map(([{ path }, key]) => [path.join("\0"), known.get(key)?.profile]));
      return {
        of: (path) => byPath.get(path.join("\0")),
        complete: [...keys.values()].every((key) => !running.has(key)),
      };
    },
    async close() {
      stop.abort();
      for (const next of waiting.splice(0)) next();
      await Promise.allSettled(running.values());
    },
  };
}

function keyOf({ dialect }: SqlSource, { path }: TableSchema, viewer: string): string {
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
