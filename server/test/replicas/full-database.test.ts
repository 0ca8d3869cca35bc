import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";

const SESSION = "projects/local/locations/us/apps/order-desk/sessions/full-database";

/** What PostgreSQL says where a file cannot grow; a table of turns and a new file are where it says so first. */
const REFUSE = "raise exception 'could not extend file: No space left on device' using errcode = '53100'";
const FULL = `
create function refuse_rows() returns trigger language plpgsql as $$ begin ${REFUSE}; end $$;
create trigger no_space before insert on turns for each row execute function refuse_rows();
create function refuse_files() returns event_trigger language plpgsql as $$ begin ${REFUSE}; end $$;
create event trigger no_space on ddl_command_start when tag in ('CREATE TABLE AS') execute function refuse_files()`;
const FREE = "drop event trigger no_space; drop trigger no_space on turns";

describe("a database whose disk takes no new rows while rows can be changed in place (DB-24)", {
  skip: withoutPostgres(),
}, () => {
  let postgres: ThrowawayPostgres;
  let server: TestServer;
  let database: pg.Client;
  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    server = await startTestServer({
      example: true,
      config: { database: { url: postgres.url, connections: 4 }, sealing },
    });
    database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await database?.end();
    await postgres?.stop();
  });

  const turn = () =>
    fetch(`${server.address}/v1beta/${SESSION}:runSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { session: SESSION }, inputs: [{ text: "hello" }] }),
    }).then(({ status }) => status);
  const ready = () => fetch(`${server.address}/readyz`);

  it("makes the server not ready from the first turn that it refuses until there is space again", async () => {
    assert.equal((await ready()).status, 200);
    await database.query(FULL);
    assert.equal(await turn(), 503);
    for (let look = 0; look < 3; look += 1) {
      const answer = await ready();
      assert.equal(answer.status, 503);
      assert.match(await answer.text(), /^storage: The database .* has no space left /);
    }
    const metrics = await fetch(`${server.address}/metrics`).then((page) => page.text());
    assert.match(metrics, /^frontdesk_ready 0$/m);
    await database.query(FREE);
    while ((await ready()).status !== 200) await delay(50);
    assert.equal(await turn(), 200);
  });
});
