import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { decodedResponse } from "./decoded-body.ts";

/** A body in chunks of a few bytes. */
async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

async function read(encoding: string, bytes: Uint8Array) {
  const encoded = {
    "content-encoding": encoding,
    "content-length": String(bytes.length),
    "content-type": "text/plain",
  };
  const { headers, body } = decodedResponse({ headers: encoded, body: chunksOf(bytes) });
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(chunk);
  return { headers, text: Buffer.concat(parts).toString() };
}

const TEXT = "the same words, again and again; ".repeat(20);

describe("a response with a content encoding", () => {
  it("is decoded, and its headers describe what is left", async () => {
    const encoded: readonly (readonly [string, Uint8Array])[] = [
      ["gzip", gzipSync(TEXT)],
      ["X-GZIP", gzipSync(TEXT)],
      ["br", brotliCompressSync(TEXT)],
      ["zstd", zstdCompressSync(TEXT)],
      ["deflate", deflateSync(TEXT)],
      ["deflate", deflateRawSync(TEXT)],
      ["gzip, br", brotliCompressSync(gzipSync(TEXT))],
      ["identity", Buffer.from(TEXT)],
    ];
    for (const [encoding, bytes] of encoded) {
      const { headers, text } = await read(encoding, bytes);
      assert.equal(text, TEXT, encoding);
      if (encoding !== "identity") assert.deepEqual(headers, { "content-type": "text/plain" });
    }
  });

  it("may be empty", async () => assert.equal((await read("gzip", new Uint8Array())).text, ""));

  it("of an unknown name is passed on as it is", async () => {
    const { headers, text } = await read("aes128gcm", Buffer.from("sealed"));
    assert.deepEqual([headers["content-encoding"], text], ["aes128gcm", "sealed"]);
  });

  it("fails when it is cut off, damaged or none", async () => {
    const cut = gzipSync(TEXT).subarray(0, 30);
    for (const bytes of [cut, Buffer.from(TEXT)])
      await assert.rejects(read("gzip", bytes), /The response has the content encoding gzip and cannot be decoded: /);
  });

  it("fails with the error of its source", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield gzipSync(TEXT).subarray(0, 12);
      throw new Error("the connection broke");
    }
    const { body } = decodedResponse({ headers: { "content-encoding": "gzip" }, body: broken() });
    await assert.rejects(Array.fromAsync(body), /the connection broke/);
  });

  it("ends its source when nobody reads on", async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        const bytes = gzipSync(Buffer.alloc(1_000_000, "x"));
        for (;;) yield bytes;
      } finally {
        ended = true;
      }
    }
    const { body } = decodedResponse({ headers: { "content-encoding": "gzip" }, body: endless() });
    for await (const chunk of body) if (chunk.length > 0) break;
    while (!ended) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(ended);
  });
});
