import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { pino } from "pino";
import { logFault } from "./log-fault.ts";
import { internal, notFound, unavailable } from "./status-errors.ts";
import { toStatusError } from "./to-status-error.ts";

test("what is a fault of the server is logged with its cause; what a caller or another server did wrong is not", () => {
  const lines: { level: number; msg: string; run: number; err: { message: string } }[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const errors = [
    new TypeError("first"),
    internal(new Error("second")),
    notFound("apps/a", "App"),
    unavailable("away"),
    Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
    toStatusError(Object.assign(new Error("read-only file system"), { code: "EROFS" })),
  ];
  for (const [run, error] of errors.entries()) logFault(error, logger, "it failed", { run });
  assert.deepEqual(
    lines.map(({ level, msg, run, err }) => [level, msg, run, err.message]),
    [
      [50, "it failed", 0, "first"],
      [50, "it failed", 1, "second"],
      [50, "it failed", 4, "no space left on device"],
      [50, "it failed", 5, "read-only file system"],
    ],
  );
});

test("a disk that cannot be written is UNAVAILABLE, for whatever was to be written, and other errors of the system are INTERNAL", () => {
  const said = ["ENOSPC", "EDQUOT", "EROFS", "EACCES"].map((code) => {
    const {
      code: status,
      rawMessage,
      cause,
    } = toStatusError(Object.assign(new Error(`/data/secret: ${code}`), { code }));
    assert.ok(cause instanceof Error && !rawMessage.includes("/data"));
    return [Code[status], /space|writes|details/.exec(rawMessage)?.[0]];
  });
  assert.deepEqual(said, [
    ["Unavailable", "space"],
    ["Unavailable", "space"],
    ["Unavailable", "writes"],
    ["Internal", "details"],
  ]);
});
