import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StorageOptions } from "./contract.ts";

/** Names a value of the store of what is kept for a time. */
interface ValueName {
  readonly kind: string;
  readonly key: string;
}

const COLUMN = "select body from short_lived";

/** Reads one value where servers may or may not run, and changes nothing. Undefined where there is none, or no database yet. */
export async function readStoredValue(
  { dataDir, database, logger }: Pick<StorageOptions, "dataDir" | "database" | "logger">,
  { kind, key }: ValueName,
): Promise<string | undefined> {
  if (!database) return readFromFile(join(dataDir, "frontdesk.db"), kind, key);
  const { openConnections } = await import("./postgres/connections.ts");
  const connections = openConnections(database, logger);
  try {
    const sql = `${COLUMN} where kind = $1 and key = $2`;
    const { rows } = await connections.query<{ body: string }>({ sql, parameters: [kind, key] });
    return rows[0]?.body;
  } finally {
    await connections.close();
  }
}

function readFromFile(path: string, kind: string, key: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const row = file.prepare(`${COLUMN} where kind = ? and key = ?`).get(kind, key);
    return row && String(row.body);
  } finally {
    file.close();
  }
}
