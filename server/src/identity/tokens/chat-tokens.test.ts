import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import { createChatTokens } from "./chat-tokens.ts";

const KEY = new Uint8Array(32).fill(7);
const GRANT = { session: "apps/a/sessions/s", deployment: "apps/a/deployments/d", origin: "https://shop.example" };

function tokensAt(now: number, key = KEY) {
  return createChatTokens({ key, clock: { now: () => now }, lifetimeMs: 1_000 });
}

function errorOf(read: () => unknown): ConnectError {
  try {
    read();
  } catch (error) {
    if (error instanceof ConnectError) return error;
  }
  return assert.fail("it was not rejected");
}

describe("a chat token", () => {
  it("verifies to its grant until it expires", () => {
    const { token, expiresAt } = tokensAt(5_000).issue(GRANT);
    assert.equal(expiresAt, 6_000);
    assert.deepEqual(tokensAt(5_999).verify(token), { ...GRANT, expiresAt });
    const { code, rawMessage } = errorOf(() => tokensAt(6_000).verify(token));
    assert.deepEqual(
      [code, rawMessage],
      [Code.Unauthenticated, "The chat token has expired. Ask for a new one with GenerateChatToken."],
    );
  });

  it("is rejected when any part of it was changed, or another key signed it", () => {
    const { token } = tokensAt(0).issue(GRANT);
    const [prefix, claims = "", signature = ""] = token.split(".");
    const forged = Buffer.from(JSON.stringify({ ...GRANT, session: "other", expiresAt: 1e15 })).toString("base64url");
    const bad = [
      `${prefix}.${forged}.${signature}`,
      `${prefix}.${claims}.`,
      `${prefix}.${claims}`,
      `${prefix}.${claims}.${signature}.more`,
      `${prefix}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      tokensAt(0, new Uint8Array(32).fill(8)).issue(GRANT).token,
    ];
    assert.deepEqual(
      bad.map((changed) => errorOf(() => tokensAt(0).verify(changed)).code),
      bad.map(() => Code.Unauthenticated),
    );
  });

  it("is ignored when it has another form", () => {
    assert.deepEqual(
      ["ya29.a0AfB_by", "", "eyJhbGciOi.J9.x"].map((token) => tokensAt(0).verify(token)),
      [undefined, undefined, undefined],
    );
  });
});
