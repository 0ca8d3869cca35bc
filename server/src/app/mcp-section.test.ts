import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { McpSectionSchema, mcpConfig } from "./mcp-section.ts";

describe("the section mcp", () => {
  it("is optional", () => {
    assert.deepEqual(mcpConfig(undefined), { dryRun: false });
  });

  it("sets the issuers of tokens, and the public origin of the server", () => {
    const section = McpSectionSchema.parse({
      dryRun: true,
      issuers: ["https://login.example.com/"],
      scopes: ["desk"],
      origin: "https://desk.example.com/",
    });
    assert.deepEqual(mcpConfig(section), {
      dryRun: true,
      oauth: { issuers: ["https://login.example.com/"], scopes: ["desk"], origin: "https://desk.example.com" },
    });
  });

  it("rejects issuers that are not URLs, and unknown keys", () => {
    for (const section of [{ issuers: ["login"] }, { issuers: [] }, { issuer: "https://a.example" }])
      assert.equal(McpSectionSchema.safeParse(section).success, false);
  });
});
