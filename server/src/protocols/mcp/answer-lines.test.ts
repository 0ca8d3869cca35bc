import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { createRegistry } from "#rpc";
import { createAnswerLines } from "./answer-lines.ts";

describe("the endpoint that is served over lines", () => {
  const logger = createLogger("silent");
  const registry = createRegistry([], { clock: systemClock, logger });
  const answers = (endpoint: string) => () => createAnswerLines(registry, { logger, version: "1", endpoint });

  it("is one that there is over HTTP, with a query that there is", () => {
    assert.doesNotThrow(answers("/mcp/analytics?profile=read"));
    assert.throws(answers("/mcp/other"), {
      message: "There is no MCP endpoint /mcp/other; use /mcp or /mcp/analytics.",
    });
    assert.throws(answers("/mcp?profile=reed"), {
      message: 'The address says profile="reed"; use one of read, edit, run, all, google.',
    });
  });
});
