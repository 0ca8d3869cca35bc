import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { createRegistry } from "#rpc";
import { createStdioHandler } from "./stdio-handler.ts";

describe("the endpoint over standard input and output", () => {
  const logger = createLogger("silent");
  const registry = createRegistry([], { clock: systemClock, logger });
  const answers = (endpoint: string) => () => createStdioHandler(registry, { logger, version: "1", endpoint });

  it("is one of those over HTTP, with a valid query", () => {
    assert.doesNotThrow(answers("/mcp/analytics?profile=read"));
    assert.throws(answers("/mcp/other"), {
      message: "There is no MCP endpoint /mcp/other; use /mcp or /mcp/analytics.",
    });
    assert.throws(answers("/mcp?profile=reed"), {
      message: 'The address has profile="reed"; use one of read, edit, run, all, google.',
    });
  });
});
