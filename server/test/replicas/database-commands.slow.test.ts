import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createLogger, nonEmptyFields, systemClock } from "#base";
import { openStorage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { type CommandRun, openCommandLine } from "../command-line.ts";
import { head, turn } from "../storage/rows.ts";

const commandLine = openCommandLine();
const root = mkdtempSync(join(tmpdir(), "frontdesk-database-commands-"));
const folder = join(root, "data");
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

describe("the commands of a database", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let database: pg.Client;
  before(async () => {
    postgres = await startPostgres();
    database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    const storage = await openStorage({ dataDir: folder, clock: systemClock, logger: createLogger("silent") });
    for (let index = 1; index <= 3; index += 1)
      await storage.conversations.appendTurn(head("apps/a", "moved", index), turn(index));
    await storage.close();
  });
  after(async () => {
    await database?.end();
    await postgres?.stop();
  });

  /** `url`: of the database; "" for none. */
  const frontdesk = (url: string, ...args: readonly string[]): Promise<CommandRun> => {
    const { FRONTDESK_DATABASE_URL: _, ...env } = process.env;
    return commandLine.run(args, { env: { ...env, ...nonEmptyFields({ FRONTDESK_DATABASE_URL: url }) } });
  };
  /** The address of a new database on the same server. */
  async function another(name: string): Promise<string> {
    await database.query(`create database ${name}`);
    return postgres.url.replace(/postgres$/, name);
  }
  const inside = async (url: string, ...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const refused = async (run: Promise<CommandRun>, sentence: RegExp) => {
    const { code, stdout, stderr } = await run;
    assert.deepEqual([code, stdout], [1, ""], stderr);
    assert.match(stderr, sentence);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  };

  it("migrate an empty database, and say when there is nothing to do (DB-2)", async () => {
    const url = await another("migrated");
    const [first, again] = [await frontdesk(url, "migrate"), await frontdesk(url, "migrate")];
    assert.deepEqual([first.code, again.code], [0, 0], first.stderr + again.stderr);
    assert.match(first.stdout, /was migrated from schema version 0 to \d+\.$/m);
    assert.match(again.stdout, /has schema version \d+ already\.$/m);
    await inside(url, "drop schema frontdesk_jobs cascade");
    const anew = await frontdesk(url, "migrate");
    assert.match(anew.stdout, /already, and got the tables of jobs of this release\.$/m);
  });

  it("say in one sentence why a database cannot be migrated (DB-2)", async () => {
    await refused(frontdesk("", "migrate"), /FRONTDESK_DATABASE_URL is not set/);
    await refused(frontdesk(postgres.url.replace(/postgres$/, "missing"), "migrate"), /does not exist/);
    await refused(frontdesk("postgres://desk:hidden@127.0.0.1:1/desk", "migrate"), /cannot be reached/);
    await refused(frontdesk("mysql://desk:hidden@127.0.0.1/desk", "migrate"), /is no address of PostgreSQL/);
    const newer = await another("newer");
    await frontdesk(newer, "migrate");
    const client = new pg.Client({ connectionString: newer });
    await client.connect();
    await client.query("insert into schema_version values (100, 99)");
    await client.end();
    await refused(frontdesk(newer, "migrate"), /has schema version 100, which releases .* cannot use/);
    const readOnly = await another("read_only");
    await database.query("alter database read_only set default_transaction_read_only = on");
    await refused(frontdesk(readOnly, "migrate"), /takes no writes/);
    await database.query("create role guest login");
    await refused(frontdesk(postgres.url.replace("owner@", "guest@"), "migrate"), /refuses this user/);
  });

  it("say in one sentence why a server cannot start, and end", async () => {
    const start = (url: string, name: string) =>
      frontdesk(url, "start", "--port", "0", "--no-example", "--log", "silent", "--data", join(root, name));
    const foreign = await another("foreign_tables");
    await inside(foreign, "create table resources (id integer)");
    await refused(start(foreign, "foreign"), /has tables of another program \(relation "resources" already exists\)/);
    await database.query("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    await refused(start(postgres.url.replace(/postgres$/, "latin"), "latin"), /has the encoding LATIN1/);
    const lacking = await another("lacking_rights");
    await frontdesk(lacking, "migrate");
    await database.query("create role clerk login");
    await inside(lacking, "grant all on all tables in schema public to clerk", "revoke insert on turns from clerk");
    await refused(
      start(lacking.replace("owner@", "clerk@"), "lacking"),
      /does not let this user read and write 'turns'/,
    );
    const full = await another("full_disk");
    await frontdesk(full, "migrate");
    await inside(
      full,
      "create function no_space() returns trigger language plpgsql as $$ begin raise 'no space left' using errcode = 'disk_full'; end $$",
      "create trigger full_disk before insert on server_keys for each row execute function no_space()",
    );
    await refused(start(full, "full"), /has no space left/);
    await refused(start(`${postgres.url}?sslmode=verify-full`, "tls"), /cannot be reached over TLS/);
  });

  it("say in one sentence that an address is none of PostgreSQL, and end while it holds the connection", async (t) => {
    // What MySQL says first.
    const greeting = Buffer.from("4a0000000a382e302e33360008000000", "hex");
    const sockets = new Set<Socket>();
    const other = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {}).write(greeting);
    }).listen(0, "127.0.0.1");
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      other.close();
    });
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const url = `postgres://desk:hidden@127.0.0.1:${port}/desk`;
    await refused(frontdesk(url, "migrate"), /does not speak as PostgreSQL does/);
  });

  it("say that the password file is missing, and end at once", async (t) => {
    const secured = await startPostgres({ password: "hidden" });
    t.after(() => secured.stop());
    const passwordFile = join(root, "no-password");
    for (const args of [["migrate"], ["start", "--port", "0", "--data", join(root, "no-password-data")]]) {
      const env = { ...process.env, FRONTDESK_DATABASE_URL: secured.url.replace(":hidden@", "@") };
      const began = performance.now();
      const run = commandLine.run(args, { env: { ...env, FRONTDESK_DATABASE_PASSWORD_FILE: passwordFile } });
      await refused(run, /The password file '.*no-password' of the database is missing/);
      assert.ok(performance.now() - began < 30_000, "the command waited for the sign-in to end");
    }
  });

  it("move a data folder, go on with a move that was interrupted, and move it back (DB-11)", async () => {
    const url = await another("moved");
    await frontdesk(url, "migrate");
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`create function no_more() returns trigger language plpgsql as $$
      begin if new.turn_index > 2 then raise exception 'the power is gone'; end if; return new; end $$`);
    await client.query("create trigger no_more before insert on turns for each row execute function no_more()");
    const move = (direction: string, data = folder) => frontdesk(url, "move", direction, "--data", data);
    const interrupted = await move("to-database");
    assert.equal(interrupted.code, 1);
    assert.match(interrupted.stderr, /the power is gone/);
    await refused(
      frontdesk(url, "start", "--port", "0", "--data", join(root, "caches")),
      /run the same 'frontdesk move'/,
    );
    await client.query("drop trigger no_more on turns");
    await client.end();
    const [there, back] = [await move("to-database"), await move("to-folder", join(root, "back"))];
    for (const { code, stdout, stderr } of [there, back]) {
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^turns: 3 rows, SHA-256 [0-9a-f]{64}$/m);
      assert.match(stdout, /Both ends have the same rows\.$/m);
    }
    assert.match(there.stderr, /sealed with 'sealing\.key' of '[^']+': give that key to all servers/);
    assert.match(back.stderr, /sealed with the key of the servers .* write it into '[^']+back[\\/]sealing\.key'/);
    await refused(frontdesk("", "move", "to-database"), /FRONTDESK_DATABASE_URL is not set/);
    await refused(frontdesk(url, "move", "sideways"), /to-database/);
  });
});
