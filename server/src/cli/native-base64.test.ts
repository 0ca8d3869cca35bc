import assert from "node:assert/strict";
import { describe, it } from "node:test";
import "./native-base64.ts";

describe("base64 of Uint8Array", () => {
  const lengths = [0, 1, 2, 3, 4, 1_000];
  const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 37 + 251) % 256);

  it("is that of Buffer, in both alphabets, padded or not", () => {
    for (const bytes of lengths.map(bytesOf)) {
      const padded = Buffer.from(bytes).toString("base64");
      assert.equal(bytes.toBase64(), padded);
      assert.equal(bytes.toBase64({ omitPadding: true }), padded.replaceAll("=", ""));
      const url = padded.replaceAll("+", "-").replaceAll("/", "_");
      assert.equal(bytes.toBase64({ alphabet: "base64url" }), url);
      assert.equal(bytes.toBase64({ alphabet: "base64url", omitPadding: true }), url.replaceAll("=", ""));
    }
  });

  it("is read into the bytes, a part of a buffer too", () => {
    for (const bytes of lengths.map(bytesOf)) {
      const text = Buffer.from(bytes).toString("base64");
      const target = new Uint8Array(bytes.length + 2).subarray(1, bytes.length + 1);
      assert.deepEqual(target.setFromBase64(text), { read: text.length, written: bytes.length });
      assert.deepEqual(target, bytes);
      assert.equal(new Uint8Array(target.buffer).at(-1), 0);
    }
  });

  it("is refused where it is not whole", () => {
    for (const text of ["A", "AA", "AAA", "A===", "AA=A", "AA==AA==", "A-_=", "AA\n==", "é"])
      assert.throws(() => new Uint8Array(8).setFromBase64(text), SyntaxError, text);
  });
});
