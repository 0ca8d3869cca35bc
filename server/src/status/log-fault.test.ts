import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { logFault } from "./log-fault.ts";
import { internal, notFound, unavailable } from "./status-errors.ts";

test("what is a fault of the server is logged with its cause; what a caller or another server did wrong is not", () => {
  const lines: { level: number; msg: string; run: number; err: { message: string } }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const errors = [
    new TypeError("first"),
    internal(new Error("second")),
    notFound("apps/a", "App"),
    unavailable("away"),
  ];
  for (const [run, error] of errors.entries()) logFault(error, logger, "it failed", { run });
  assert.deepEqual(
    lines.map(({ level, msg, run, err }) => [level, msg, run, err.message]),
    [
      [50, "it failed", 0, "first"],
      [50, "it failed", 1, "second"],
    ],
  );
});
