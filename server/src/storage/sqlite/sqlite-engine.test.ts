import assert from "node:assert/strict";
import { it } from "node:test";
import { pino } from "pino";
import { StorageError } from "../errors.ts";
import { createSqliteEngine } from "./sqlite-engine.ts";

it("a data folder that fails has one line in the log for each kind of failure, however many writes are refused", async (t) => {
  t.mock.method(performance, "now", () => now);
  let now = 100_000;
  const lines: string[] = [];
  const logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  let fault: StorageError | undefined = new StorageError("FULL", "The disk is full.");
  const writer = { commit: async () => (fault ? Promise.reject(fault) : { kind: "committed", changes: 0 }) };
  const engine = createSqliteEngine({ writer } as never, { path: "desk.db", logger });
  for (let write = 0; write < 100; write += 1) await assert.rejects(engine.commit([]), /cannot reach its stored data/);
  assert.deepEqual(lines, ["the data folder failed"]);
  fault = undefined;
  await engine.commit([]);
  assert.equal(lines.length, 1);
  now += 5_000;
  await engine.commit([]);
  assert.deepEqual(lines, ["the data folder failed", "the data folder works again"]);
});
