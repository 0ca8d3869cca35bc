import { after, it } from "node:test";
import { startPostgres, withoutPostgres } from "#testing";
import { configureTurns } from "../conformance/verifies-turn.ts";

// Some behaviours of turns, on every wire, over PostgreSQL; `npm run test:long` runs all of them.
const missing = withoutPostgres();
if (missing) it("turns over PostgreSQL", { skip: missing }, () => {});
else {
  const postgres = await startPostgres();
  configureTurns({
    database: { url: postgres.url, connections: 2 },
    sealing: { from: "environment", text: Buffer.alloc(32, 1).toString("base64") },
  });
  await import("../conformance/turns-calls.test.ts");
  // After the servers of the files, which are stopped in this order.
  after(() => postgres.stop());
}
