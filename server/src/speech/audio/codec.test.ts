import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecoder, encode } from "./codec.ts";

const RAMP = Float32Array.from({ length: 64 }, (_, at) => (at - 32) / 33);

describe("the audio encodings", () => {
  it("write LINEAR16 as little-endian integers and clip what is too loud", () => {
    assert.deepEqual(
      [...encode(Float32Array.of(0, 0.5, -1, 2, -2), "LINEAR16")],
      [0, 0, 0, 64, 0, 128, 255, 127, 0, 128],
    );
  });

  it("write one byte a sample for telephones", () => {
    const samples = Float32Array.of(0, 1, -1);
    assert.deepEqual([...encode(samples, "MULAW")], [0xff, 0x80, 0x00]);
    assert.deepEqual([...encode(samples, "ALAW")], [0xd5, 0xaa, 0x2a]);
  });

  it("read what they wrote, as near as each can", () => {
    const farthest = { LINEAR16: 1 / 32_768, MULAW: 1 / 32, ALAW: 1 / 32 } as const;
    for (const [encoding, most] of Object.entries(farthest)) {
      const name = encoding as keyof typeof farthest;
      const back = createDecoder(name)(encode(RAMP, name));
      assert.equal(back.length, RAMP.length);
      back.forEach((sample, at) => {
        assert.ok(Math.abs(sample - (RAMP[at] ?? 0)) <= most, `${name} ${at}`);
      });
    }
  });

  it("take a stream however it is cut, in the middle of a sample too", () => {
    const bytes = encode(RAMP, "LINEAR16");
    const whole = createDecoder("LINEAR16")(bytes);
    for (const length of [1, 3, 7, 127]) {
      const decode = createDecoder("LINEAR16");
      const pieces: number[] = [];
      for (let at = 0; at < bytes.length; at += length) pieces.push(...decode(bytes.subarray(at, at + length)));
      assert.deepEqual(pieces, [...whole], `messages of ${length} bytes`);
    }
    const decode = createDecoder("LINEAR16");
    decode(Uint8Array.of(1));
    assert.equal(decode(new Uint8Array(400_001)).length, 200_001, "a long message after half a sample");
  });
});
