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
  const values = toInt16(samples);
  const codes = new Uint8Array(values.length);
  for (let at = 0; at < codes.length; at++) codes[at] = encoded[(values[at] as number) + 32_768] as number;
  return codes;
}

function expand(bytes: Uint8Array, { decoded }: CompandingLaw): Samples {
  const samples = new Float32Array(bytes.length);
  for (let at = 0; at < samples.length; at++) samples[at] = (decoded[bytes[at] as number] as number) / 32_768;
  return samples;
}

function lawOf(encoding: Exclude<Encoding, "LINEAR16">): CompandingLaw {
  return encoding === "MULAW" ? MU_LAW : A_LAW;
}
