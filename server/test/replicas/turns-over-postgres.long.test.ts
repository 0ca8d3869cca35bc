import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, it } from "node:test";
import { startPostgres, withoutPostgres } from "#testing";
import { configureTurns } from "../conformance/verifies-turn.ts";

/** Files with behaviours of turns. */
const FOLDER = join(import.meta.dirname, "../conformance");

// Every behaviour of turns, on every wire, over PostgreSQL as over SQLite: the same table and the same tests.
const missing = withoutPostgres();
if (missing) it("turns over PostgreSQL", { skip: missing }, () => {});
else {
  // The servers of all files run at the same time, each with connections of its own.
  const postgres = await startPostgres({ settings: ["max_connections=200"] });
  configureTurns({
    database: { url: postgres.url, connections: 2 },
    sealing: { from: "environment", text: Buffer.alloc(32, 1).toString("base64") },
  });
  const files = readdirSync(FOLDER).filter((name) => /^turns-.*\.test\.ts$/.test(name));
  for (const name of files) await import(join(FOLDER, name));
  // After the servers of the files, which are stopped in this order.
  after(() => postgres.stop());
}
