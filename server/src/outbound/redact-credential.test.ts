import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redactCredential, redactCredentialInStream } from "./redact-credential.ts";

const TOKEN = "abcabd-secret-é";
const bearer = { kind: "bearer" as const, token: TOKEN };

/** The chunks that a reader sees when the response arrives in these pieces. */
async function read(pieces: readonly Uint8Array[]): Promise<readonly Buffer[]> {
  const body = (async function* () {
    yield* pieces;
  })();
  const stream = redactCredentialInStream({ status: 200, statusText: "", headers: {}, body }, bearer);
  const parts: Buffer[] = [];
  for await (const part of stream.body) parts.push(Buffer.from(part));
  return parts;
}

describe("redacting a credential in a streamed response", () => {
  it("replaces it wherever the chunks are cut", async () => {
    const whole = Buffer.from(`ü ab${TOKEN} and ${TOKEN}${TOKEN} abc`);
    for (let at = 0; at <= whole.length; at++) {
      const parts = await read([whole.subarray(0, at), whole.subarray(at)]);
      const text = Buffer.concat(parts).toString();
      assert.equal(text, "ü ab[credential] and [credential][credential] abc", `cut at ${at}`);
    }
  });

  it("replaces it as addresses spell it, which errors of servers repeat", async () => {
    for (const spelled of [encodeURIComponent("abc ab+d/é"), new URLSearchParams({ k: "abc ab+d/é" }).toString()]) {
      const text = `no such key: ${spelled}`;
      const whole = { status: 400, statusText: "", headers: {}, body: Buffer.from(text) };
      const secret = { kind: "bearer" as const, token: "abc ab+d/é" };
      assert.match(Buffer.from((await redactCredential(whole, secret)).body).toString(), /: (?:k=)?\[credential\]$/);
    }
  });

  it("passes a chunk on at once when it cannot begin the credential", async () => {
    const events = [Buffer.from("data: 1\n\n"), Buffer.from("data: 2\n\n")];
    assert.deepEqual(await read(events), events);
  });
});
