import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FrameInput } from "./frame-input.ts";
import { encodeFrame } from "./frames.ts";

describe("frames that a guest reads", () => {
  const payloads = [0, 1, 70_000, 65_531, 200_000, 3].map((length, type) => new Uint8Array(length).fill(type + 1));
  const bytes = Buffer.concat(payloads.map((payload, type) => encodeFrame(type, payload)));

  for (const most of [1, 5, 6, 4096, 65_536, 1 << 20]) {
    it(`are whole when the input comes in pieces of ${most} bytes`, () => {
      let position = 0;
      const input = new FrameInput((target) => {
        const piece = bytes.subarray(position, position + Math.min(most, target.length));
        target.set(piece);
        position += piece.length;
        return piece.length;
      });
      const frames = payloads.map(() => input.next());
      assert.deepEqual(
        frames.map(({ type, payload }) => [type, payload.length, payload.every((byte) => byte === type + 1)]),
        payloads.map(({ length }, type) => [type, length, true]),
      );
      assert.equal(position, bytes.length);
    });
  }
});
