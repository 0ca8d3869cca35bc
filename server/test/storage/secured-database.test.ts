import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { openStorage, StorageError } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
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
  });
});
