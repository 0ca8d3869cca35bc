import type { TablePath } from "../contract.ts";

/** Databases and schemas that are the engine's own. */
const OWN_DATABASES = new Set(["system", "temp", "main", "memory"]);
const OWN_SCHEMAS = new Set(["information_schema", "pg_catalog"]);

/**
 * Where the engine keeps the tables of the outside: under their own names, so that a statement may say `orders.total`. The engine
 * takes `Orders` and `orders` for one name; of names that differ in case alone, and for names of the engine itself, all but the
 * first get a database of another name. `attached`: names of databases that are there already.
 */
export function createPlaces(attached: Iterable<string>): (path: TablePath) => TablePath {
  const taken = new Set([...OWN_DATABASES, ...attached]);
  const owners = new Map<string, string>();
  return (path) => {
    const [project = "", dataset = "", ...rest] = path;
    const schema = OWN_SCHEMAS.has(dataset.toLowerCase()) ? `${dataset}~` : dataset;
    for (let number = 1; ; number++) {
      const database = number === 1 ? project : `${project}~${number}`;
      if (taken.has(database.toLowerCase())) continue;
      const place = [database, schema, ...rest];
      const key = place.join("\0").toLowerCase();
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, path.join("\0"));
      if (owner === undefined || owner === path.join("\0")) return place;
    }
  };
}
