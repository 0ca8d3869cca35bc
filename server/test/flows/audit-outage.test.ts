import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer, type TestServer } from "#testing";

const PARENT = "projects/local/locations/us";

/** A server with an audit file in a folder that can go away. */
async function auditedServer(required: boolean) {
  const root = mkdtempSync(join(tmpdir(), "frontdesk-audit-outage-"));
  const folder = join(root, "log");
  renameSync(mkdtempSync(join(root, "made-")), folder);
  const audit = {
    records: new Set(["write"] as const),
    file: join(folder, "audit.jsonl"),
    keepMs: 86_400_000,
    required,
  };
  const server = await startTestServer({ config: { audit } });
  return {
    server,
    away: () => renameSync(folder, join(root, "away")),
    back: () => renameSync(join(root, "away"), folder),
    lines: () => readFileSync(audit.file, "utf8").trim().split("\n"),
    async close() {
      await server[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
}

const make = async ({ address }: TestServer, id: string) => {
  const response = await fetch(`${address}/v1beta/${PARENT}/apps?appId=${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ displayName: id }),
  });
  return { status: response.status, text: await response.text() };
};
const page = ({ address }: TestServer, path: string) => fetch(`${address}${path}`).then((response) => response.text());

describe("an audit file that cannot be written while the server runs (IAM-23)", () => {
  let own: Awaited<ReturnType<typeof auditedServer>>;
  before(async () => {
    own = await auditedServer(false);
  });
  after(() => own.close());

  it("is told by /readyz and the metrics, and gets what it lacks when it can be written", async () => {
    const { server, away, back, lines } = own;
    await make(server, "app-before");
    away();
    assert.equal((await make(server, "app-meanwhile")).status, 200);
    assert.match(await page(server, "/readyz"), /^ok\n.*\naudit: file: ENOENT.* \(1 entries wait\)\n/);
    assert.match(await page(server, "/metrics"), /^frontdesk_audit_entries_waiting\{place="file"\} 1$/m);
    back();
    while (/entries wait/.test(await page(server, "/readyz"))) await delay(50);
    assert.equal(lines().length, 2);
    assert.match(await page(server, "/metrics"), /^frontdesk_audit_entries_lost_total\{place="file"\} 0$/m);
  });
});

describe("an audit log that is required (IAM-23)", () => {
  let own: Awaited<ReturnType<typeof auditedServer>>;
  before(async () => {
    own = await auditedServer(true);
  });
  after(() => own.close());

  it("refuses what it could not record, and makes the server not ready, until it can be written", async () => {
    const { server, away, back, lines } = own;
    await make(server, "app-before");
    away();
    assert.equal((await make(server, "app-first")).status, 200);
    const refused = await make(server, "app-refused");
    assert.equal(refused.status, 503);
    assert.match(refused.text, /"AUDIT_UNAVAILABLE"/);
    assert.equal((await fetch(`${server.address}/readyz`)).status, 503);
    assert.match(await page(server, "/metrics"), /^frontdesk_ready 0$/m);
    assert.equal((await fetch(`${server.address}/v1beta/${PARENT}/apps`)).status, 200, "reads are not recorded");
    back();
    while ((await fetch(`${server.address}/readyz`)).status !== 200) await delay(50);
    assert.equal((await make(server, "app-refused")).status, 200);
    assert.equal(lines().length, 3);
  });
});
