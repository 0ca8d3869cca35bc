import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createLogger, type Logger, systemClock } from "#base";
import { openStorage } from "#storage";
import { startPostgres, withoutPostgres } from "#testing";
import { head, turn } from "./rows.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../wire/__fixtures__/${name}`, import.meta.url));
const KEY = fixture("localhost.key");

/** Another certificate of the same host and key, which is its own authority. With the subject of the former it would be taken for that one. */
function makeCertificate(path: string): void {
  const subject = ["-subj", "/CN=renewed", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const args = ["req", "-x509", "-key", KEY, "-days", "2", ...subject, "-out", path];
  execFileSync("openssl", args, { stdio: "ignore" });
}

it("a database's certificate and its authority can be renewed while servers run (DB-47)", {
  skip: withoutPostgres(),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-renewed-"));
  const [cert, authority, next] = ["server.crt", "authority.crt", "next.crt"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  chmodSync(folder, 0o755);
  copyFileSync(fixture("localhost.crt"), cert);
  copyFileSync(cert, authority);
  makeCertificate(next);
  const postgres = await startPostgres({ tls: { cert, key: KEY } });
  const operator = new pg.Client({ connectionString: postgres.url });
  await operator.connect();
  const lines: string[] = [];
  const note = (fields: { err?: Error }, text?: string) => void lines.push(`${text}: ${fields.err?.message}`);
  const logger = { ...createLogger("silent"), warn: note, error: note } as Logger;
  const url = `${postgres.url.replace("127.0.0.1", "localhost")}?sslmode=verify-full&sslrootcert=${authority}`;
  const storage = await openStorage({ dataDir: "", database: { url, connections: 2 }, clock: systemClock, logger });
  t.after(async () => {
    await storage.close();
    await operator.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Ends all connections of the server, as a failover does: those that come next see the certificate of now. */
  const breakConnections = () =>
    operator.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk'");
  const store = (id: string) => storage.conversations.appendTurn(head("apps/renewed", id, 1), turn(1));
  const present = async (file: string) => {
    copyFileSync(file, cert);
    await operator.query("select pg_reload_conf()");
    await delay(500);
  };

  await store("before");
  // In the right order nothing is noticed: both authorities first, then the certificate, then the old authority goes.
  const old = readFileSync(authority, "utf8");
  writeFileSync(authority, old + readFileSync(next, "utf8"));
  await present(next);
  await breakConnections();
  await store("renewed");
  copyFileSync(next, authority);
  await breakConnections();
  await store("without the old authority");

  // In the wrong one connections that are made fail, by name, until the authority is there.
  writeFileSync(authority, old);
  await breakConnections();
  const isTold = () =>
    lines.some((line) => /cannot be reached over TLS \(.*\): check sslmode and sslrootcert/.test(line));
  const { name } = head("apps/renewed", "renewed", 1);
  while (!isTold()) {
    await storage.conversations.getTurns(name).catch(() => {});
    await delay(100);
  }
  await assert.rejects(storage.conversations.getTurns(name), /cannot reach its stored data/);
  copyFileSync(next, authority);
  await delay(1_000);
  await store("recovered");
});
