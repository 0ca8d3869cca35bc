import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { streamWithoutCredential } from "./without-credential.ts";

const TOKEN = "abcabd-secret-é";
const bearer = { kind: "bearer" as const, token: TOKEN };

/** The answer as it is read when it arrives in these pieces. */
async function read(pieces: readonly Uint8Array[]): Promise<readonly Buffer[]> {
  const body = (async function* () {
    yield* pieces;
  })();
  const stream = streamWithoutCredential({ status: 200, statusText: "", headers: {}, body }, bearer);
  const parts: Buffer[] = [];
  for await (const part of stream.body) parts.push(Buffer.from(part));
  return parts;
}

describe("a streamed answer that repeats a credential", () => {
  it("is read without it, wherever it is cut", async () => {
    const whole = Buffer.from(`ü ab${TOKEN} and ${TOKEN}${TOKEN} abc`);
    for (let at = 0; at <= whole.length; at++) {
      const parts = await read([whole.subarray(0, at), whole.subarray(at)]);
      const text = Buffer.concat(parts).toString();
      assert.equal(text, "ü ab[credential] and [credential][credential] abc", `cut at ${at}`);
    }
  });

  it("is passed on at once where nothing begins to look like it", async () => {
    const events = [Buffer.from("data: 1\n\n"), Buffer.from("data: 2\n\n")];
    assert.deepEqual(await read(events), events);
  });
});
