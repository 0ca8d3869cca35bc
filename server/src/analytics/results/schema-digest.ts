import { createHash } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { TableSchema } from "#warehouse";

/** Tables of 25 columns take about a millisecond. */
const TABLES_AT_ONCE = 50;

/** Tells in a few bytes what tables are and of which version. */
type SchemaDigest = (schemas: readonly TableSchema[]) => Promise<string>;

/** Each table is read once, for as long as its schema is the same object; other work of the process goes on meanwhile. */
export function createSchemaDigest(): SchemaDigest {
  const known = new WeakMap<TableSchema, string>();
  return async (schemas) => {
    const all = createHash("sha256");
    let read = 0;
    for (const schema of schemas) {
      let digest = known.get(schema);
      if (digest === undefined) {
        if (++read % TABLES_AT_ONCE === 0) await yieldToEventLoop();
        digest = createHash("sha256").update(JSON.stringify(schema)).digest("base64url");
        known.set(schema, digest);
      }
      all.update(digest);
    }
    return all.digest("base64url");
  };
}
