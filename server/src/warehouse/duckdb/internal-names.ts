import type { TablePath } from "../contract.ts";
import { tableKey } from "../table-key.ts";

/** Databases and schemas of DuckDB itself. */
const RESERVED_DATABASES = new Set(["system", "temp", "main", "memory"]);
const RESERVED_SCHEMAS = new Set(["information_schema", "pg_catalog"]);

/** The name that the database of a mapping is attached under, by its position. */
export function attachedDatabaseName(at: number): string {
  return `attached~${at}`;
}

/** Whether a name is one of those, in any case. */
export function isAttachedDatabase(name: string): boolean {
  return /^attached~\d+$/i.test(name);
}

/** An error without what it proposes of attached databases: names that the context does not have. */
export function withoutAttachedNames(message: string): string {
  return message.replaceAll(/\s*Did you mean "attached~\d+\.[^\n]*"\?/gi, "");
}

/**
 * Gives each table of a client its name inside DuckDB: the same name, so that a statement may write `orders.total`. DuckDB compares
 * names without case and has reserved ones; of names that differ in case alone, and for reserved names, all but the first get a
 * database of another name. `attached`: names of databases that exist already.
 */
export function createInternalNames(attached: Iterable<string>): (path: TablePath) => TablePath {
  const used = new Set([...RESERVED_DATABASES, ...attached]);
  const owners = new Map<string, string>();
  return (path) => {
    const [project = "", dataset = "", ...rest] = path;
    const schema = RESERVED_SCHEMAS.has(dataset.toLowerCase()) ? `${dataset}~` : dataset;
    for (let number = 1; ; number++) {
      const database = number === 1 ? project : `${project}~${number}`;
      if (used.has(database.toLowerCase())) continue;
      const internalName = [database, schema, ...rest];
      const key = tableKey(internalName).toLowerCase();
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, tableKey(path));
      if (owner === undefined || owner === tableKey(path)) return internalName;
    }
  };
}
