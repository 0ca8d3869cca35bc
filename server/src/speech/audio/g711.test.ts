import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { A_LAW, type CompandingLaw, MU_LAW } from "./g711.ts";

/** From tables 1a and 2a of G.711: output values on the standard's scale (13 bit for A-law, 14 bit for μ-law) by positive code. */
const VECTORS: readonly {
  readonly name: string;
  readonly law: CompandingLaw;
  readonly scale: number;
  /** Code on the line, output value. */
  readonly outputs: readonly (readonly [number, number])[];
  /** First value of an interval, and the code of the interval. */
  readonly decisions: readonly (readonly [number, number])[];
  /** SHA-256 of all 256 decoded values, 16-bit little-endian, as another implementation (CPython's audioop) makes them. */
  readonly digest: string;
}[] = [
  {
    name: "μ-law",
    law: MU_LAW,
    scale: 4,
    outputs: [
      [0x80, 8_031],
      [0x8f, 4_191],
      [0x90, 3_999],
      [0x9f, 2_079],
      [0xaf, 1_023],
      [0xbf, 495],
      [0xcf, 231],
      [0xdf, 99],
      [0xef, 33],
      [0xff, 0],
    ],
    decisions: [
      [7_903, 0x80],
      [4_063, 0x8f],
      [2_015, 0x9f],
      [991, 0xaf],
      [31, 0xef],
      [1, 0xfe],
      [0, 0xff],
    ],
    digest: "3dab54339e520bb2c924826e3b72a917a2b612e9fd12fc867500f1d983a75827",
  },
  {
    name: "A-law",
    law: A_LAW,
    scale: 8,
    outputs: [
      [0xaa, 4_032],
      [0xa5, 2_112],
      [0xba, 2_016],
      [0xb5, 1_056],
      [0xd5, 1],
    ],
    decisions: [
      [3_968, 0xaa],
      [2_048, 0xa5],
      [1_024, 0xb5],
      [2, 0xd4],
      [0, 0xd5],
    ],
    digest: "e04788d110e58ff8c70c93b8480190d973e3b67876b6119abbaec766cc75c174",
  },
];

for (const { name, law, scale, outputs, decisions, digest } of VECTORS) {
  describe(`G.711 ${name}`, () => {
    it("decodes to the output values of the standard, negative ones alike", () => {
      for (const [code, value] of outputs) {
        assert.equal(law.decoded[code], scale * value, `code ${code}`);
        assert.equal(law.decoded[code ^ 0x80], scale * -value || 0, `code ${code ^ 0x80}`);
      }
    });

    it("changes codes at the decision values of the standard", () => {
      for (const [value, code] of decisions) {
        assert.equal(law.encoded[scale * value + 32_768], code, `value ${value}`);
        if (value > 0) assert.notEqual(law.encoded[scale * value - 1 + 32_768], code, `below ${value}`);
      }
    });

    it("decodes every code as another implementation does", () => {
      const bytes = Buffer.alloc(512);
      law.decoded.forEach((value, code) => {
        bytes.writeInt16LE(value, 2 * code);
      });
      assert.equal(createHash("sha256").update(bytes).digest("hex"), digest);
    });

    it("round-trips every code", () => {
      const codes = Array.from({ length: 256 }, (_, code) => code);
      const back = codes.map((code) => law.encoded[(law.decoded[code] ?? 0) + 32_768]);
      // μ-law has two codes for zero; the one of the negative zero is not used.
      assert.deepEqual(
        back,
        codes.map((code) => (name === "μ-law" && code === 0x7f ? 0xff : code)),
      );
    });
  });
}
