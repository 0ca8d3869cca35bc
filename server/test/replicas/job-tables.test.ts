import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";

describe("tables of jobs (DB-57)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let databases = 0;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  /** The address of a database of its own, after `sql` was run in it as its owner; `user` and `schema` are those of the address. */
  async function database(
    sql: string,
    { user = "owner", schema }: { readonly user?: string; readonly schema?: string } = {},
  ): Promise<{ readonly url: string; readonly admin: string }> {
    const name = `d${++databases}`;
    await run(postgres.url, `create database ${name}`);
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    const admin = url.href;
    await run(admin, sql.replaceAll("DATABASE", name));
    url.username = user;
    if (schema) url.searchParams.set("options", `-c search_path="${schema.replaceAll(" ", "\\ ")}"`);
    return { url: url.href, admin };
  }

  async function run(url: string, sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client.query(sql).finally(() => client.end());
  }

  const open = (url: string, migrate = true): Promise<Storage> =>
    openStorage({ dataDir: "", database: { url, migrate }, clock: systemClock, logger: createLogger("silent") });

  /** Opens a database twice, the second time without migrations, has a job done each time, and returns the schema that the jobs are in. */
  async function placeOf({ url, admin }: { readonly url: string; readonly admin: string }): Promise<string> {
    for (const migrate of [true, false]) {
      const storage = await open(url, migrate);
      try {
        const done = Promise.withResolvers<string>();
        const queue = await storage.jobs.open({
          ...{ name: "placed", concurrency: 1, firstPauseMs: 1_000, longestPauseMs: 1_000 },
          run: async ({ key }) => {
            done.resolve(key);
            return "done";
          },
        });
        await queue.add(`key ${migrate}`);
        assert.equal(await done.promise, `key ${migrate}`);
      } finally {
        await storage.close();
      }
    }
    const { rows } = await run(admin, "select schemaname from pg_tables where tablename = 'job_common'");
    assert.equal(rows.length, 1);
    return rows[0].schemaname;
  }

  it("have a schema of their own", async () => {
    assert.equal(await placeOf(await database("select 1")), "frontdesk_jobs");
  });

  it("are beside the other tables where the user may make no schema", async () => {
    const sql = "create user plain; grant create on schema public to plain";
    assert.equal(await placeOf(await database(sql, { user: "plain" })), "public");
  });

  it("are in the schema that somebody made for a user who may make none", async () => {
    const sql =
      "create user given; create schema mine authorization given; create schema mine_jobs authorization given";
    assert.equal(await placeOf(await database(sql, { user: "given", schema: "mine" })), "mine_jobs");
  });

  it("are asked for where a user may make no schema, and the name of their own is none for them", async () => {
    const schema = "x".repeat(60);
    const { url, admin } = await database(`create user long; create schema ${schema} authorization long`, {
      ...{ user: "long", schema },
    });
    const [, missing] = await open(url).then(
      () => [],
      ({ message }: Error) => /run 'create schema (\S+) authorization'/.exec(message) ?? [],
    );
    await run(admin, `create schema ${missing} authorization long`);
    assert.equal(`"${await placeOf({ url, admin })}"`, missing);
  });

  it("serve a user who owns none of them, and may read and write them", async () => {
    const { url, admin } = await database("create user guest");
    await (await open(admin)).close();
    const grants = ["public", "frontdesk_jobs"].map(
      (name) => `grant usage on schema ${name} to guest; grant all on all tables in schema ${name} to guest;`,
    );
    await run(admin, grants.join(" "));
    const guest = new URL(url);
    guest.username = "guest";
    assert.equal(await placeOf({ url: guest.href, admin }), "frontdesk_jobs");
  });

  for (const schema of [
    "tenant",
    "Tenant-1",
    "in order",
    "50%'s",
    `s${"x".repeat(49)}`,
    `s${"x".repeat(60)}`,
    "fünfzig",
  ])
    it(`are found again by a server whose other tables are in ${schema}`, async () => {
      const place = await placeOf(await database(`create schema "${schema}"`, { schema }));
      assert.notEqual(place, "public");
    });

  it("are made once by servers that start at the same time", async () => {
    const { url, admin } = await database("select 1");
    const storages = await Promise.all([open(url), open(url), open(url)]);
    await Promise.all(storages.map((storage) => storage.close()));
    assert.equal(await placeOf({ url, admin }), "frontdesk_jobs");
  });
});
