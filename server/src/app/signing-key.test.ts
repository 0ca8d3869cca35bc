import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createSealer } from "#base";
import { signingKey } from "./signing-key.ts";

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const folder = () => mkdtempSync(join(tmpdir(), "frontdesk-signing-"));

describe("a key that signs tokens", () => {
  it("is the same at every start, and is not in its file as it is", () => {
    const data = folder();
    const key = signingKey(data, "chat-token", createSealer([NEW]));
    assert.deepEqual(signingKey(data, "chat-token", createSealer([NEW])), key);
    assert.ok(!readFileSync(join(data, "chat-token.key")).includes(Buffer.from(key)));
  });

  it("stays the same when its file was not sealed before, or with an old key", () => {
    const data = folder();
    const plain = Buffer.alloc(32, 7);
    writeFileSync(join(data, "chat-token.key"), plain);
    assert.deepEqual(signingKey(data, "chat-token", createSealer([OLD])), plain);
    assert.deepEqual(new Uint8Array(signingKey(data, "chat-token", createSealer([NEW, OLD]))), new Uint8Array(plain));
    assert.deepEqual(new Uint8Array(signingKey(data, "chat-token", createSealer([NEW]))), new Uint8Array(plain));
  });

  it("is refused with what to do when its sealing key is gone", () => {
    const data = folder();
    signingKey(data, "chat-token", createSealer([OLD]));
    assert.throws(
      () => signingKey(data, "chat-token", createSealer([NEW])),
      /add it to the old keys\. Or delete the file/,
    );
  });
});
