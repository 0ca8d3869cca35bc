import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "#base";
import type { QueryRequest, ResultSet, SqlSource } from "#warehouse";
import { createSchemaDigest } from "./schema-digest.ts";

/** Bounds of the results that are kept. */
export interface ResultCacheLimits {
  /** How old a result may be of tables that do not tell when they change, in milliseconds. */
  readonly maxAgeMs: number;
  /** Bytes of all results, as JSON. */
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** What becomes of a query: read from the cache, read and kept, or read because it may not be kept. */
export type CacheOutcome = "hit" | "miss" | "uncacheable";

interface ResultCacheDeps {
  readonly clock: Clock;
  readonly count: (outcome: CacheOutcome) => void;
}

/** Keeps results of queries in memory. */
interface ResultCache {
  /** The source, which answers a query again without the engine. `scope`: all that its tables depend on beside the viewer, e.g. the references of the context. */
  over(source: SqlSource, scope: readonly string[]): SqlSource;
}

/** What has another value each time or each day. A name or a text that reads the same is not kept either. */
const VOLATILE =
  /\b(?:now|today|yesterday|tomorrow|current_\w+|get_current_\w+|local_?time\w*|(?:clock|statement|transaction)_timestamp|timeofday|sysdate|curdate|curtime|utc_\w+|tablesample|using\s+sample)\b|\b(?:age|rand\w*|unix_timestamp|yesterday)\s*\(|uuid(?:(?!uuid)\w)*\s*\(/i;

/** Without limits every query is read. */
export function createResultCache(
  limits: ResultCacheLimits | undefined,
  { clock, count }: ResultCacheDeps,
): ResultCache {
  if (!limits) return { over: (source) => source };
  const { maxAgeMs, maxBytes, maxEntries } = limits;
  const kept = new LRUCache<string, { readonly result: ResultSet; readonly at: number }>({
    ...{ max: maxEntries, maxSize: maxBytes },
    sizeCalculation: ({ result }) => Math.max(1, Buffer.byteLength(JSON.stringify([result.columns, result.rows]))),
  });

  const digestOf = createSchemaDigest();

  async function query(source: SqlSource, scope: readonly string[], request: QueryRequest): Promise<ResultSet> {
    if (VOLATILE.test(request.sql)) {
      count("uncacheable");
      return source.query(request);
    }
    const schemas = await source.describe(request.signal);
    const key = keyOf(source, scope, await digestOf(schemas), request);
    const isVersioned = schemas.every(({ version }) => version !== undefined);
    const found = kept.get(key);
    if (found && (isVersioned || clock.now() - found.at < maxAgeMs)) {
      count("hit");
      return { ...found.result, durationMs: 0, cachedAt: found.at };
    }
    count("miss");
    const at = clock.now();
    const result = await source.query(request);
    kept.set(key, { result, at });
    return result;
  }

  return {
    over: (source, scope) => ({ ...source, query: (request) => query(source, scope, request) }),
  };
}

/** All that the rows depend on (CA-54). `schemas`: their digest. A changed table has another version or schema, and a changed rule makes another viewer. */
function keyOf(
  { dialect, viewer = "" }: SqlSource,
  scope: readonly string[],
  schemas: string,
  { sql, authored = false, parameters = [], limits: { maxRows, maxBytes } }: QueryRequest,
): string {
  const asked = [dialect, viewer, scope, schemas, sql, authored, parameters, maxRows, maxBytes];
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
}
