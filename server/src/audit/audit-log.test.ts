import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createLogger, systemClock } from "#base";
import { internal, unavailable } from "#status";
import type { AuditRow } from "#storage";
import { createAuditLog } from "./audit-log.ts";
import type { AuditEntry, AuditLog } from "./contract.ts";

const logger = createLogger("silent");
const append = (log: AuditLog, method: string) => log.append({ time: 0, method, outcome: "OK" } as AuditEntry);

/** A log with a file, and what the file has. */
function logWithFile(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-audit-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "audit.jsonl");
  const log = createAuditLog({ store: { append: async () => {} }, file, clock: systemClock, logger });
  const methods = () =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (line.startsWith("{") ? JSON.parse(line).method : line));
  return { file, log, methods };
}

/** A log whose store answers what `answer` says, and what it has stored. */
function logWithStore(answer: () => Error | undefined) {
  const stored: string[] = [];
  const store = {
    append: async (rows: readonly AuditRow[]) => {
      const error = answer();
      if (error) throw error;
      stored.push(...rows.map(({ method }) => method));
    },
  };
  const lost: number[] = [];
  const log = createAuditLog({ store, clock: systemClock, logger, onLost: (_, count) => void lost.push(count) });
  return { log, stored, lost };
}

describe("entries of the audit log (IAM-23)", () => {
  it("that the file could not take stand in it, in order, once it can be written", async (t) => {
    const { file, log, methods } = logWithFile(t);
    mkdirSync(file);
    await append(log, "first");
    await append(log, "second");
    const [, state] = log.state();
    assert.deepEqual([state?.place, state?.waiting], ["file", 2]);
    assert.match(String(state?.fault), /EISDIR/);
    rmdirSync(file);
    await append(log, "third");
    assert.deepEqual(methods(), ["first", "second", "third"]);
    assert.deepEqual(log.state()[1], { place: "file", waiting: 0 });
  });

  it("are tried again without another one", async (t) => {
    const { file, log, methods } = logWithFile(t);
    mkdirSync(file);
    await append(log, "alone");
    rmdirSync(file);
    while (log.state()[1]?.fault !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(methods(), ["alone"]);
  });

  it("begin a line anew behind a piece of one that the disk had no space for", async (t) => {
    const { file, log, methods } = logWithFile(t);
    mkdirSync(file);
    await append(log, "torn");
    rmdirSync(file);
    writeFileSync(file, "half of a li");
    await append(log, "second");
    await append(log, "third");
    assert.deepEqual(methods(), ["half of a li", "torn", "second", "third"]);
  });

  it("wait while the store is away, ten thousand at most, of which the oldest are counted as lost", async () => {
    let away: Error | undefined = unavailable("The server cannot reach its stored data.");
    away.cause = new Error("away: free some space");
    const { log, stored, lost } = logWithStore(() => away);
    await Promise.all(Array.from({ length: 10_001 }, (_, at) => append(log, String(at))));
    assert.deepEqual(log.state(), [{ place: "store", waiting: 9_501, fault: "away: free some space" }]);
    assert.deepEqual(lost, [500]);
    away = undefined;
    await append(log, "last");
    assert.deepEqual([stored.length, stored.at(0), stored.at(-1)], [9_502, "500", "last"]);
  });

  it("are the same when they are tried again, so that one whose answer was lost stands there once (IAM-24)", async () => {
    const attempts: string[] = [];
    const append = async (rows: readonly AuditRow[]) => {
      attempts.push(...rows.map(({ entry }) => String(entry)));
      if (attempts.length < 3) throw unavailable("the answer was lost");
    };
    const log = createAuditLog({ store: { append }, clock: systemClock, logger });
    await log.append({ time: 0, method: "one", outcome: "OK" } as AuditEntry);
    await log.append({ time: 0, method: "two", outcome: "OK" } as AuditEntry);
    await log.close();
    const [first, , second] = attempts;
    assert.equal(attempts.length, 3);
    assert.ok(first && second && first !== second);
    assert.equal(attempts[1], first);
  });

  it("that the store rejects keep no other from being stored, and are counted as lost", async () => {
    let rejected: Error | undefined = internal("no such column");
    const { log, stored, lost } = logWithStore(() => rejected);
    await append(log, "rejected");
    rejected = undefined;
    await append(log, "fine");
    assert.deepEqual([stored, lost], [["fine"], [1]]);
  });

  it("that wait when the server stops are tried once more, and counted as lost", async () => {
    const { log, lost } = logWithStore(() => unavailable("away"));
    await append(log, "one");
    await log.close();
    assert.deepEqual(lost, [1]);
  });
});
