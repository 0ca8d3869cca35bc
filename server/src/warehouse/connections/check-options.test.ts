import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RemoteEngineName } from "../mapping/warehouse-config.ts";
import { openTables, warehouseOf } from "../remote/__fixtures__/open-tables.ts";

/** What a question is told about a database with this connection string. */
async function refusal(engine: RemoteEngineName | "postgresql", text: string): Promise<string> {
  const mapping = { name: ["acme", "shop"] as const, connectionString: () => text };
  const warehouse = warehouseOf(
    engine === "postgresql" ? { postgres: [mapping] } : { remote: [{ ...mapping, engine }] },
  );
  try {
    const source = await openTables(warehouse, ["acme", "shop"], ["orders"]);
    await source.describe(new AbortController().signal);
    return "";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await warehouse.close();
  }
}

describe("an option of a connection string that nothing would read", () => {
  const misspelled: readonly (readonly [RemoteEngineName | "postgresql", text: string, fix: string])[] = [
    ["postgresql", "postgresql://x:hush@127.0.0.1:1/db?sslmod=require", "write 'sslmode', or take it out"],
    ["redshift", "redshift://x:hush@127.0.0.1:1/db?ssl_mode=require", "write 'sslmode', or take it out"],
    ["mysql", "mysql://x:hush@127.0.0.1:1/db?ssl_mode=REQUIRED", "write 'ssl-mode', or take it out"],
    ["sqlserver", "sqlserver://x:hush@127.0.0.1:1/db?encypt=disable", "write 'encrypt', or take it out"],
    ["clickhouse", "http://x:hush@127.0.0.1:1/db?secure=true", "take it out"],
    ["trino", "http://x:hush@127.0.0.1:1/hive/web?SSL=true", "take it out"],
    ["snowflake", "https://x:hush@127.0.0.1:1/DB/WEB?wharehouse=W", "write 'warehouse', or take it out"],
    [
      "databricks",
      "https://token:hush@127.0.0.1:1/main/web?warehouse=W&catlog=C",
      "take it out. Options are warehouse",
    ],
  ];
  for (const [engine, text, fix] of misspelled)
    it(`is refused with what to write, and without the password: ${engine}`, async () => {
      const message = await refusal(engine, text);
      assert.match(message, /The connection string has the option '.*', which nothing reads: /);
      assert.ok(message.includes(fix), message);
      assert.doesNotMatch(message, /hush/);
    });
});
