import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinSamples } from "./samples.ts";
import { readWav, readWavStream, WavError, writeWav } from "./wav.ts";

const SOUND = { samples: Float32Array.of(0, 0.25, -0.25, 0.5), rate: 22_050 };

/** A WAV file with a header of our choice. */
function fileOf({
  format = 1,
  channels = 1,
  bits = 16,
  data = [0, 0] as readonly number[],
  before = [] as readonly number[],
}): Uint8Array {
  const head = Buffer.alloc(36);
  head.write("RIFF\0\0\0\0WAVEfmt ", "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt16LE(bits, 34);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([head, Buffer.from(before), Buffer.from("data"), size, Buffer.from(data)]);
}

async function streamed(pieces: readonly Uint8Array[]) {
  const samples: Float32Array[] = [];
  let rate = 0;
  const source = (async function* () {
    yield* pieces;
  })();
  for await (const sound of readWavStream(source)) {
    samples.push(sound.samples);
    rate = sound.rate;
  }
  return { samples: joinSamples(samples), rate };
}

describe("WAV files", () => {
  it("are read as they were written", () => {
    assert.deepEqual(readWav(writeWav(SOUND)), SOUND);
  });

  it("may contain μ-law, A-law, other chunks and two channels", () => {
    assert.deepEqual([...readWav(fileOf({ format: 7, bits: 8, data: [0xff, 0x80] })).samples], [0, 32_124 / 32_768]);
    assert.deepEqual([...readWav(fileOf({ format: 6, bits: 8, data: [0xaa] })).samples], [32_256 / 32_768]);
    const list = [...Buffer.from("LIST"), 3, 0, 0, 0, 1, 2, 3, 0];
    assert.deepEqual([...readWav(fileOf({ before: list, data: [0, 64] })).samples], [0.5]);
    assert.deepEqual([...readWav(fileOf({ channels: 2, data: [0, 64, 0, 32] })).samples], [0.375]);
  });

  it("may say more length than they have, as programs do that write to a pipe", () => {
    const bytes = Buffer.from(writeWav(SOUND));
    bytes.writeUInt32LE(0x7ffff000, 40);
    assert.deepEqual(readWav(bytes), SOUND);
  });

  it("are read while they come, however they are cut", async () => {
    const bytes = writeWav(SOUND);
    for (const length of [1, 5, 43, 100]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.subarray(at * length, (at + 1) * length),
      );
      assert.deepEqual(await streamed(pieces), SOUND, `pieces of ${length} bytes`);
    }
  });

  it("are rejected with their format when it is not supported", async () => {
    assert.throws(() => readWav(Buffer.from("ID3 this is no WAV file")), new WavError("the file is no WAV file"));
    assert.throws(() => readWav(fileOf({ format: 3, bits: 32 })), /format 3 with 32 bits/);
    const damaged = Buffer.from(writeWav(SOUND));
    damaged.writeUInt32LE(0, 24);
    assert.throws(() => readWav(damaged), /is of 0 Hertz; 100 to 192000 are read/);
    assert.throws(() => readWav(fileOf({}).subarray(0, 30)), /cut off before its sound/);
    await assert.rejects(streamed([]), /ended before it began/);
    await assert.rejects(streamed([fileOf({ format: 7, bits: 8 })]), /16-bit mono sound is wanted/);
  });
});
