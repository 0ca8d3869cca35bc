import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { openStorage, StaleEtagError, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { head, LOCATION, resource, turn } from "./rows.ts";

describe("what may be millions of rows (DB-27)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let storage: Storage;
  let client: pg.Client;
  before(async () => {
    postgres = await startPostgres();
    storage = await openStorage({
      dataDir: "",
      database: { url: postgres.url },
      clock: systemClock,
      logger: createLogger("silent"),
    });
    client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`
      create table pieces (rows integer);
      create function note_piece() returns trigger language plpgsql as
        $$ begin insert into pieces select count(*) from gone; return null; end $$;
      create trigger pieces after delete on conversations referencing old table as gone
        for each statement execute function note_piece();
      create trigger pieces after delete on audit referencing old table as gone
        for each statement execute function note_piece()`);
  });
  after(async () => {
    await client?.end();
    await storage?.close();
    await postgres?.stop();
  });

  /** How many rows the largest statement removed since the last look, and all of them. */
  async function removed() {
    const { rows } = await client.query("select max(rows) as most, sum(rows)::integer as sum from pieces");
    await client.query("truncate pieces");
    return rows[0];
  }

  it("goes with its app in pieces, and not at all with a deletion that is refused", async () => {
    const app = resource("apps/large");
    await storage.resources.write([{ kind: "put", row: app }]);
    await storage.conversations.appendTurn(head("apps/large", "c0", 1), turn(1));
    await client.query(`
      insert into conversations (name, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version, language_code, state)
      select app || '/conversations/copy' || n, app, start_time, end_time, turn_count, source, input_types, entry_agent, deployment, app_version, language_code, state
      from conversations, generate_series(1, 1300) n where name like '%/apps/large/%'`);
    const deletion = (ifEtag: string) =>
      storage.resources.write([
        { kind: "delete", name: app.name, ifEtag },
        { kind: "delete-tree", prefix: `${app.name}/` },
      ]);
    await assert.rejects(deletion("another"), StaleEtagError);
    assert.deepEqual(await removed(), { most: null, sum: null });
    await deletion(app.etag);
    assert.deepEqual(await removed(), { most: 500, sum: 1_301 });
    assert.equal(await storage.conversations.getHead(`${LOCATION}/apps/large/conversations/c0`), undefined);
  });

  it("goes from the audit log in pieces", async () => {
    await client.query(
      "insert into audit (time, principal, method, resource, body) select n, '', '', '', '{}' from generate_series(1, 1200) n",
    );
    assert.equal(await storage.audit.removeBefore(1_101), 1_100);
    assert.deepEqual(await removed(), { most: 500, sum: 1_100 });
  });
});
