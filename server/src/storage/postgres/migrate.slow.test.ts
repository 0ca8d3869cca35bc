import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#base";
import { startPostgres, withoutPostgres } from "#testing";
import { openConnections } from "./connections.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";

describe("a migration of large tables", () => {
  it("takes as long as it takes, whatever the driver and the administrator allow a statement, while another server waits for it (DB-2)", {
    skip: withoutPostgres(),
  }, async () => {
    await using resources = new AsyncDisposableStack();
    const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
    const postgres = await startPostgres({ settings: limits.map((name) => `${name}=2s`) });
    resources.defer(() => postgres.stop());
    const open = () => {
      const connections = openConnections({ url: postgres.url }, createLogger("silent"));
      resources.defer(() => connections.close());
      return connections;
    };
    const slow = { oldest: MIGRATIONS.length, sql: "select pg_sleep(11)" };
    const migrations = [...MIGRATIONS, slow];
    const [first, second] = [open(), open()];
    const migrated = await Promise.all(
      [first, second].map((each) => migrate(each, { place: "test", apply: true, migrations })),
    );
    const to = MIGRATIONS.length + 1;
    assert.deepEqual(
      migrated.map(({ from }) => from).toSorted((left, right) => left - right),
      [0, to],
    );
    const { rows } = await first.query({ sql: "select max(version) as version from schema_version", parameters: [] });
    assert.deepEqual(rows, [{ version: to }]);
    const limit = { sql: "select current_setting('statement_timeout') as limit", parameters: [] };
    assert.deepEqual((await first.query(limit)).rows, [{ limit: "2s" }]);
  });
});
