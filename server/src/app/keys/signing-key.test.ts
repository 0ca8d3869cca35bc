import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createSealer } from "#base";
import { createKeyFiles } from "./key-files.ts";
import { signingKey } from "./signing-key.ts";

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const folder = () => mkdtempSync(join(tmpdir(), "frontdesk-signing-"));

describe("a key that signs tokens", () => {
  it("is the same at every start, and is not in its file as it is", async () => {
    const data = folder();
    const key = await signingKey(createKeyFiles(data), "chat-token", createSealer([NEW]));
    assert.deepEqual(await signingKey(createKeyFiles(data), "chat-token", createSealer([NEW])), key);
    assert.ok(!readFileSync(join(data, "chat-token.key")).includes(Buffer.from(key)));
  });

  it("stays the same when its file was not sealed before, or with an old key", async () => {
    const data = folder();
    const plain = Buffer.alloc(32, 7);
    writeFileSync(join(data, "chat-token.key"), plain);
    assert.deepEqual(await signingKey(createKeyFiles(data), "chat-token", createSealer([OLD])), plain);
    assert.deepEqual(
      new Uint8Array(await signingKey(createKeyFiles(data), "chat-token", createSealer([NEW, OLD]))),
      new Uint8Array(plain),
    );
    assert.deepEqual(
      new Uint8Array(await signingKey(createKeyFiles(data), "chat-token", createSealer([NEW]))),
      new Uint8Array(plain),
    );
  });

  it("is refused with what to do when its sealing key is gone", async () => {
    const data = folder();
    await signingKey(createKeyFiles(data), "chat-token", createSealer([OLD]));
    await assert.rejects(
      signingKey(createKeyFiles(data), "chat-token", createSealer([NEW])),
      /add it to the old keys\. .* Or delete the file/,
    );
  });
});
