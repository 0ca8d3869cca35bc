import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createLogger } from "#base";
import { type ConnectError, failedPrecondition } from "#status";
import { expiringBlobs, openStorage } from "#storage";
import { createExclusiveRunner } from "./exclusive-runner.ts";
import { createRetentionPass } from "./retention-pass.ts";

const DAY_MS = 24 * 3_600_000;
const FOREVER = new AbortController().signal;
const nothing = async () => ({ resealed: 0, unreadable: [] });

it("a pass of retention erases answers that evaluations kept, operations that are done and credentials that expired, each when its time is over, and nothing while the clock is doubted (DB-25)", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-retention-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let days = 1_000;
  const clock = { now: () => days * DAY_MS };
  const logger = createLogger("silent");
  const storage = await openStorage({ dataDir: folder, clock: clock as never, logger });
  t.after(() => storage.close());
  let doubt: ConnectError | undefined;
  const pass = createRetentionPass({
    retention: { pass: async () => ({ expired: 0, forgotten: 0, redacted: 0 }) },
    data: {
      retention: { pass: async () => ({ purged: 0, forgotten: 0 }) },
      ...{ connections: { reseal: nothing }, schedules: { reseal: nothing } },
    } as never,
    a2a: { tasks: { removeStray: async () => {}, reseal: nothing } } as never,
    toolFiles: { removeStray: async () => 0 },
    clockWatch: { doubt: async () => doubt, confirm: async () => {} },
    ...{ storage, runExclusively: createExclusiveRunner(storage), auditKeptMs: DAY_MS, clock: clock as never, logger },
  });
  const files = () => readdirSync(join(folder, "blobs"), { withFileTypes: true }).filter((entry) => entry.isFile());

  const kept = expiringBlobs(storage.blobs, clock, 90 * 86_400_000);
  for (let at = 0; at < 250; at += 1) await kept.put(`evaluation/judgements/${at}`, new Uint8Array([at]));
  await storage.blobs.put("dataFiles/uploaded", new Uint8Array([1]));
  const empty = new Uint8Array();
  const operation = { parent: "p", subject: "", done: true, createTime: clock.now(), kind: "ExportApp", attempts: 0 };
  const done = { ...operation, name: "done", metadata: empty, response: empty, error: empty, lastError: empty };
  await storage.operations.put({ ...done, isDead: false });
  await storage.operations.put({ ...done, name: "dead", isDead: true });
  const credential = { id: "token", parent: "p", kind: "token", principal: "p", secretDigest: "d", body: "{}" };
  await storage.credentials.insert({ ...credential, createTime: clock.now(), expireTime: clock.now() + DAY_MS });

  const left = async () => [
    files().length,
    (await storage.operations.list("p", 9)).rows.map(({ name }) => name),
    (await storage.credentials.get("token")) !== undefined,
  ];
  doubt = failedPrecondition("The clock is doubted.", { reason: "CLOCK_IN_DOUBT" });
  days = 1_091;
  await assert.rejects(pass(FOREVER), doubt);
  assert.deepEqual(await left(), [251, ["dead", "done"], true]);
  doubt = undefined;

  const seen = [];
  for (const after of [0, 2.1, 30.1, 89, 91]) {
    days = 1_000 + after;
    await pass(FOREVER);
    seen.push([after, ...(await left())]);
  }
  assert.deepEqual(seen, [
    [0, 251, ["dead", "done"], true],
    [2.1, 251, ["dead", "done"], false],
    [30.1, 251, ["dead"], false],
    [89, 251, ["dead"], false],
    [91, 1, ["dead"], false],
  ]);
  assert.deepEqual(await storage.blobs.get("dataFiles/uploaded"), new Uint8Array([1]));
});
