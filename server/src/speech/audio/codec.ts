import { A_LAW, type CompandingLaw, MU_LAW } from "./g711.ts";
import { fromLinear16, type Samples, toInt16, toLinear16 } from "./samples.ts";

/** The three encodings of the API's `AudioEncoding`. */
export type Encoding = "LINEAR16" | "MULAW" | "ALAW";

/** Decodes the bytes of one stream. Half a sample at the end of a message waits for its other half. */
type Decode = (bytes: Uint8Array) => Samples;

/** Creates the decoder of one stream. */
export function createDecoder(encoding: Encoding): Decode {
  if (encoding !== "LINEAR16") return (bytes) => expand(bytes, lawOf(encoding));
  let half: number | undefined;
  return (bytes) => {
    const whole = half === undefined ? bytes : Buffer.concat([Uint8Array.of(half), bytes]);
    half = whole.length % 2 === 1 ? whole.at(-1) : undefined;
    return fromLinear16(whole);
  };
}

/** Encodes samples. */
export function encode(samples: Samples, encoding: Encoding): Uint8Array {
  if (encoding === "LINEAR16") return toLinear16(samples);
  const { encoded } = lawOf(encoding);
  return Uint8Array.from(toInt16(samples), (value) => encoded[value + 32_768] ?? 0);
}

function expand(bytes: Uint8Array, { decoded }: CompandingLaw): Samples {
  return Float32Array.from(bytes, (code) => (decoded[code] ?? 0) / 32_768);
}

function lawOf(encoding: Exclude<Encoding, "LINEAR16">): CompandingLaw {
  return encoding === "MULAW" ? MU_LAW : A_LAW;
}
