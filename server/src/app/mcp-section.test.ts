import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { McpSectionSchema, mcpConfig } from "./mcp-section.ts";

describe("the section mcp", () => {
  it("need not be there", () => {
    assert.deepEqual(mcpConfig(undefined), { dryRun: false });
  });

  it("says who issues tokens, and under which address this server is known", () => {
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

  it("refuses issuers that are no addresses, and keys that it does not know", () => {
    for (const section of [{ issuers: ["login"] }, { issuers: [] }, { issuer: "https://a.example" }])
      assert.equal(McpSectionSchema.safeParse(section).success, false);
  });
});
