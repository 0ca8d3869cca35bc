import assert from "node:assert/strict";
import { it } from "node:test";
import { createLogger, systemClock } from "#base";
import { startPostgres, withoutPostgres } from "#testing";
import { openStorage } from "../open-storage.ts";
import { openConnections } from "./connections.ts";
import { maintain } from "./maintenance.ts";

it("erases what no server reads any more, leases of servers that have ended among it, and nothing else", {
  skip: withoutPostgres(),
}, async () => {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const logger = createLogger("silent");
  const database = { url: postgres.url };
  const storage = await openStorage({ dataDir: "", database, clock: systemClock, logger });
  resources.defer(() => storage.close());
  const connections = openConnections(database, logger);
  resources.defer(() => connections.close());
  const run = (sql: string, parameters: readonly unknown[] = []) =>
    connections.query<{ name: string }>({ sql, parameters });

  await run(
    "insert into replicas (id, name, schema_version, until) values ('gone', 'gone', 1, now() - interval '2 hours')",
  );
  const leases = [
    ["old", "gone", false, 11],
    ["recent", "gone", false, 9],
    ["left behind", "gone", true, 11],
    ["left behind just now", "gone", true, 9],
    ["of a long turn", storage.replica?.id, true, 11],
  ] as const;
  for (const [session, owner, held, minutes] of leases)
    await run("insert into leases values ($1, $2, $1, $3, '', now() - $4::int * interval '1 minute')", [
      ...[session, owner, held, minutes],
    ]);
  const changes = [
    ["resource", "an hour old", 61],
    ["resource", "kept", 59],
    ["value", "a minute old", 2],
    ["value", "told just now", 0],
  ] as const;
  for (const [kind, name, minutes] of changes)
    await run(
      "insert into changes (origin, kind, name, type, written_time) values ('gone', $1, $2, '', now() - $3::int * interval '1 minute')",
      [kind, name, minutes],
    );

  await maintain(connections, new AbortController().signal);

  const left = async (column: string, table: string) =>
    (await run(`select ${column} as name from ${table} order by 1`)).rows.map(({ name }) => name);
  assert.deepEqual(await left("session", "leases"), ["left behind just now", "of a long turn", "recent"]);
  assert.deepEqual(await left("name", "changes"), ["kept", "told just now"]);
  assert.deepEqual(await left("id", "replicas"), [storage.replica?.id]);
});
