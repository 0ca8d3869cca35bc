import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuthConfig } from "./auth-section.ts";
import { McpSectionSchema, mcpConfig } from "./mcp-section.ts";

const OFF: AuthConfig = { mode: "off", issuers: [], scopes: {}, sessionMs: 1, trustedProxies: [] };

describe("the section mcp", () => {
  it("is optional", () => {
    assert.deepEqual(mcpConfig(undefined, OFF), { dryRun: false });
  });

  it("sets the issuers of tokens, and the public origin of the server", () => {
    const section = McpSectionSchema.parse({
      dryRun: true,
      issuers: ["https://login.example.com/"],
      scopes: ["desk"],
      origin: "https://desk.example.com/",
    });
    assert.deepEqual(mcpConfig(section, OFF), {
      dryRun: true,
      oauth: { issuers: ["https://login.example.com/"], scopes: ["desk"], origin: "https://desk.example.com" },
    });
  });

  it("takes those who vouch for callers, where callers must be known", () => {
    const okta = {
      name: "okta",
      issuer: "https://okta.example",
      audiences: [],
      kind: "user",
      project: "local",
    } as const;
    const auth: AuthConfig = { ...OFF, issuers: [okta], scopes: { "desk.read": "read", desk: "all" } };
    assert.deepEqual(mcpConfig(undefined, auth), { dryRun: false });
    assert.deepEqual(mcpConfig({}, { ...auth, mode: "required", origin: "https://desk.example.com" }).oauth, {
      issuers: ["https://okta.example"],
      scopes: ["desk.read", "desk"],
      origin: "https://desk.example.com",
    });
  });

  it("rejects issuers that are not URLs, and unknown keys", () => {
    for (const section of [{ issuers: ["login"] }, { issuers: [] }, { issuer: "https://a.example" }])
      assert.equal(McpSectionSchema.safeParse(section).success, false);
  });
});
