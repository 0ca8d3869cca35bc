import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { it } from "node:test";
import { pino } from "pino";
import { serializeError } from "./serialize-error.ts";

function logged(error: unknown): string {
  let line = "";
  const write = new Writable({
    write(chunk, _encoding, done) {
      line += chunk;
      done();
    },
  });
  pino({ serializers: { err: serializeError } }, write).error({ err: error }, "failed");
  return line;
}

it("a status error in the log has the values of its details, and no description of their formats", () => {
  const desc = { typeName: "google.rpc.ErrorInfo", fields: [{ json: "reason" }] };
  const details = [{ desc, value: { reason: "STORAGE_UNAVAILABLE" } }];
  const line = logged(Object.assign(new Error("Not now."), { code: 14, details }));
  const { err } = JSON.parse(line);
  assert.equal(err.message, "Not now.");
  assert.deepEqual(err.details, [{ type: "google.rpc.ErrorInfo", value: { reason: "STORAGE_UNAVAILABLE" } }]);
});

it("an error in the log has its message, those of its causes, its stack and its fields", () => {
  const error = Object.assign(new Error("outer", { cause: new Error("inner") }), { code: "E1" });
  const { err } = JSON.parse(logged(error));
  assert.deepEqual([err.type, err.message, err.code], ["Error", "outer: inner", "E1"]);
  assert.match(err.stack, /caused by: Error: inner/);
});
