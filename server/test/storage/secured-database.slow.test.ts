import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { Code, ConnectError } from "#status";
import { openStorage, StorageError } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { assertCancelledInDatabase } from "./cancelled-list.ts";
import { head, turn } from "./rows.ts";

const fixture = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CERTIFICATE = fixture("../wire/__fixtures__/localhost.crt");
const OTHER_AUTHORITY = fixture("../identity/__fixtures__/client-ca.crt");

describe("a database that wants TLS and a password", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-secured-"));
  const passwordFile = join(folder, "password");
  before(async () => {
    const tls = { cert: CERTIFICATE, key: fixture("../wire/__fixtures__/localhost.key") };
    postgres = await startPostgres({ password: "first", tls });
    writeFileSync(passwordFile, "first\n");
  });
  after(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The address without a password, by the name that is in the certificate. */
  const address = (query: string) =>
    postgres.url.replace(":first@", "@").replace("127.0.0.1", "localhost").concat("?", query);
  const open = (query: string, credential: { password?: string; passwordFile?: string } = { passwordFile }) =>
    openStorage({
      dataDir: "",
      database: { url: address(query), ...credential, connections: 2 },
      clock: systemClock,
      logger: createLogger("silent"),
    });
  const refused = async (query: string, credential: { password?: string; passwordFile?: string }, sentence: string) => {
    await assert.rejects(open(query, credential), (error) => {
      assert.ok(error instanceof StorageError, String(error));
      assert.ok(error.message.includes(sentence), error.message);
      return true;
    });
  };
  const isUnavailable = (error: unknown) =>
    error instanceof ConnectError && error.code === Code.Unavailable && error.details.length === 2;
  const VERIFIED = `sslmode=verify-full&sslrootcert=${CERTIFICATE}`;

  it("is opened when its certificate is of the authority that the address names", async () => {
    const storage = await open(VERIFIED);
    await storage.check();
    await storage.close();
    await assert.rejects(open(`sslmode=verify-full&sslrootcert=${OTHER_AUTHORITY}`), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, /cannot be reached over TLS \(.*certificate.*\): check sslmode/);
      return true;
    });
  });

  it("ends a list that nobody waits for, over TLS too (DB-46)", async () => {
    const storage = await open(VERIFIED);
    await assertCancelledInDatabase(storage, postgres.url).finally(() => storage.close());
  });

  it("takes the next password from the file when a connection is made, without a restart of the server", async () => {
    const storage = await open(VERIFIED);
    const name = head("apps/secured", "c", 1).name;
    await storage.conversations.appendTurn(head("apps/secured", "c", 1), turn(1));
    const operator = new pg.Client({ connectionString: postgres.url });
    await operator.connect();
    await operator.query("alter role owner password 'second'");
    writeFileSync(passwordFile, "second");
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk'";
    await operator.query(end);
    await operator.end();
    assert.equal((await storage.conversations.getTurns(name)).length, 1);
    await storage.close();
  });

  /** Connections that the database waits for the sign-in of. */
  const unsigned = () =>
    execFileSync("ps", ["--ppid", String(postgres.pid), "-o", "args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => /authentication|startup/.test(line)).length;

  it("is left alone while the password file is empty or missing, and gets what is asked of it then (DB-10)", async (t) => {
    const password = readFileSync(passwordFile, "utf8");
    const storage = await open(VERIFIED);
    const name = head("apps/secured", "c", 1).name;
    const operator = new pg.Client({ connectionString: address(VERIFIED) });
    Object.assign(operator, { password: password.trim() });
    await operator.connect();
    t.after(async () => {
      writeFileSync(passwordFile, password);
      await operator.end();
      await storage.close();
    });
    for (const spoil of [() => writeFileSync(passwordFile, ""), () => rmSync(passwordFile)]) {
      spoil();
      await operator.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk'",
      );
      const until = performance.now() + 1_500;
      let most = 0;
      while (performance.now() < until) {
        await assert.rejects(storage.conversations.getTurns(name), isUnavailable);
        await assert.rejects(async () => storage.resources.refresh?.(), isUnavailable);
        most = Math.max(most, unsigned());
        await delay(20);
      }
      assert.ok(most <= 3, `${most} connections wait for the sign-in`);
    }
    assert.equal(unsigned(), 0);
    const stored = storage.conversations.appendTurn(head("apps/secured", "rotated", 1), turn(1));
    await delay(300);
    writeFileSync(passwordFile, password);
    await stored;
  });

  it("is reported with the name of the password file that is missing, empty or not to be read", async () => {
    const missing = join(folder, "none");
    const empty = join(folder, "empty");
    writeFileSync(empty, "\n");
    await refused(VERIFIED, { passwordFile: missing }, `The password file '${missing}' of the database is missing`);
    await refused(VERIFIED, { passwordFile: empty }, `The password file '${empty}' of the database is empty`);
    await refused(VERIFIED, { passwordFile: folder }, `The password file '${folder}' of the database cannot be read`);
    await refused(VERIFIED, {}, "wants a password");
    assert.equal(unsigned(), 0);
  });

  it("takes a password as it is, with characters that have a meaning in addresses", async () => {
    const password = "p@ss/w#r?d%41:&' +";
    const operator = new pg.Client({ connectionString: address(VERIFIED) });
    Object.assign(operator, { password: readFileSync(passwordFile, "utf8").trim() });
    await operator.connect();
    await operator.query(`alter role owner password ${operator.escapeLiteral(password)}`);
    await operator.end();
    const storage = await open(VERIFIED, { password });
    await storage.check();
    await storage.close();
    writeFileSync(passwordFile, password);
  });

  it("is reached with the modes of TLS as libpq means them, and the driver warns of none", async (t) => {
    const warnings = t.mock.method(process, "emitWarning");
    const current = { passwordFile };
    for (const query of [
      "sslmode=require",
      `sslmode=require&sslrootcert=${CERTIFICATE}`,
      `sslmode=verify-ca&sslrootcert=${CERTIFICATE}`,
      "sslmode=disable",
    ])
      await (await open(query, current)).close();
    for (const mode of ["require", "verify-ca"])
      await refused(`sslmode=${mode}&sslrootcert=${OTHER_AUTHORITY}`, current, "cannot be reached over TLS");
    await refused("sslmode=enforce", current, "FRONTDESK_DATABASE_URL has sslmode=enforce, which is no mode");
    await refused("sslmode=verify-full&sslrootcert=/none.pem", current, "The file '/none.pem', sslrootcert of");
    assert.equal(warnings.mock.callCount(), 0);
  });

  it("is signed in to bound to its certificate, or not at all where the address requires that (DB-22)", async () => {
    const current = { passwordFile };
    await (await open(`${VERIFIED}&channel_binding=require`)).close();
    await (await open("sslmode=require&channel_binding=require")).close();
    await (await open("sslmode=disable&channel_binding=prefer")).close();
    await refused("sslmode=disable&channel_binding=require", current, "cannot bind the sign-in to its certificate");
    assert.equal(unsigned(), 0);
  });

  // The last one: what comes without TLS is refused from then on.
  it("says to set sslmode when it takes connections over TLS alone", async () => {
    const operator = new pg.Client({ connectionString: address(VERIFIED) });
    Object.assign(operator, { password: readFileSync(passwordFile, "utf8").trim() });
    await operator.connect();
    const { rows } = await operator.query("show hba_file");
    writeFileSync(rows[0].hba_file, "hostssl all all all scram-sha-256\n");
    await operator.query("select pg_reload_conf()");
    await operator.end();
    await (await open(VERIFIED)).close();
    await refused("", { passwordFile }, "refuses connections without TLS");
    await refused("", { passwordFile }, "set sslmode in FRONTDESK_DATABASE_URL");
  });
});
