import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pino } from "pino";
import { createLineWriter } from "./log-lines.ts";

/** What a terminal without colours shows of the entries that `work` logs. */
function linesOf(work: (logger: pino.Logger) => void, colours = false): string {
  let written = "";
  const lines = createLineWriter((text) => {
    written += text;
  }, colours);
  work(pino({ base: null, level: "trace", timestamp: () => `,"time":"2026-01-31T09:30:05.123Z"` }, lines));
  return written.replaceAll(/^\d\d:\d\d:05\.123/gm, "TIME");
}

describe("log lines for people", () => {
  it("have time, level, message and fields", () => {
    assert.equal(
      linesOf((logger) => {
        logger.info({ method: "GetApp", ms: 12, code: "OK" }, "request");
        logger.warn("two words");
        logger.child({ requestId: "abc" }).debug({ text: "two words", list: [1, { a: null }] }, "what");
      }),
      [
        "TIME  INFO   request  method=GetApp ms=12 code=OK",
        "TIME  WARN   two words",
        'TIME  DEBUG  what  requestId=abc text="two words" list=[1,{"a":null}]',
        "",
      ].join("\n"),
    );
  });

  it("show the stack of an error below its line, and nothing of it twice", () => {
    const error = Object.assign(new Error("broken"), { code: "EPIPE" });
    error.stack = "Error: broken\n    at here (file.ts:1:2)";
    const text = linesOf((logger) => logger.error({ err: error, requestId: "abc" }, "failed"));
    assert.equal(text, "TIME  ERROR  failed  requestId=abc\n    Error: broken\n        at here (file.ts:1:2)\n");
  });

  it("have one line each, whatever the fields hold", () => {
    const text = linesOf((logger) => logger.info({ value: "one\ntwo\u001b[31m" }, "said"));
    assert.equal(text, 'TIME  INFO   said  value="one\\ntwo\\u001b[31m"\n');
  });

  it("are coloured on request", () => {
    const text = linesOf((logger) => logger.error({ ms: 1 }, "failed"), true);
    assert.equal(text, "TIME  \u001b[31mERROR\u001b[0m  failed  \u001b[2mms=1\u001b[0m\n");
  });
});
