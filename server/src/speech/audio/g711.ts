/**
 * The companding laws of ITU-T G.711: one byte a sample for telephones. Both directions are tables of the standard's
 * segments, on 16-bit scale.
 */
export interface CompandingLaw {
  /** The 16-bit value of each of the 256 codes. */
  readonly decoded: Int16Array;
  /** The code of each 16-bit value; the index is the value plus 32,768. */
  readonly encoded: Uint8Array;
}

/** μ-law (PCMU): 14-bit values, all bits of a code inverted on the line. */
export const MU_LAW: CompandingLaw = tables(decodeMu, encodeMu);

/** A-law (PCMA): 13-bit values, every second bit of a code inverted on the line. */
export const A_LAW: CompandingLaw = tables(decodeA, encodeA);

function decodeMu(code: number): number {
  const bits = ~code & 0xff;
  const exponent = (bits >> 4) & 7;
  const magnitude = (((bits & 0x0f) << 3) + 0x84) << exponent;
  return bits & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function decodeA(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? step : (step + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

/** Values that are too loud are clipped; a value on a boundary gets the louder code, as in the standard. */
function encodeMu(value: number): number {
  const magnitude = Math.min(Math.abs(value), 32_635) + 0x84;
  const exponent = topBit(magnitude) - 7;
  return ~((value < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function encodeA(value: number): number {
  const magnitude = value < 0 ? ~value : value;
  const exponent = magnitude < 0x100 ? 0 : topBit(magnitude) - 7;
  const step = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return ((value < 0 ? 0 : 0x80) | (exponent << 4) | step) ^ 0x55;
}

function topBit(value: number): number {
  return 31 - Math.clz32(value);
}

function tables(decode: (code: number) => number, encode: (value: number) => number): CompandingLaw {
  return {
    decoded: Int16Array.from({ length: 256 }, (_, code) => decode(code)),
    encoded: Uint8Array.from({ length: 65_536 }, (_, place) => encode(place - 32_768)),
  };
}
