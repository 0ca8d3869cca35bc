import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJson } from "./parse-json.ts";

describe("parseJson", () => {
  for (const [text, reason] of [
    ["", "Unexpected end of the text at line 1, column 1."],
    ["[1,2", "Unexpected end of the text at line 1, column 5."],
    ['{"a": x}', 'Unexpected token "x}" at line 1, column 7.'],
    ['{"a":1,}', 'Unexpected token "}" at line 1, column 8.'],
    ['{"a" 1}', 'Unexpected token "1}" at line 1, column 6.'],
    ['{"a":01}', 'Unexpected token "1}" at line 1, column 7.'],
    ["[1 2]", 'Unexpected token "2]" at line 1, column 4.'],
    ["{]", 'Unexpected token "]" at line 1, column 2.'],
    ["1 2", 'Unexpected token "2" at line 1, column 3.'],
    ['{"a":\n  "b\tc"}', 'Unexpected token "\\"b\\tc\\"}" at line 2, column 3.'],
    ["{\n  // c\n}", "JSON has no comments, and there is one at line 2, column 3. Remove it."],
    ["[1, /* c */ 2]", "JSON has no comments, and there is one at line 1, column 5. Remove it."],
  ] as const) {
    it(`names the position of the fault in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: false, reason }));
  }

  it("refuses a whole number of any length (WIRE-13)", () => {
    const parsed = parseJson(Buffer.from(`[${"9".repeat(10_000_000)}]`));
    assert.match(parsed.ok ? "" : parsed.reason, /^The number 9{40} of '' at line 1, column 2 would be rounded/);
  });

  it("parses valid JSON, with or without a byte order mark", () => {
    const value = { a: [1, -2.5e3, "x\\u0041/*", true, null], "//": {} };
    for (const text of [JSON.stringify(value), `\ufeff${JSON.stringify(value, null, 2)}`])
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: true, value });
  });

  for (const [text, problem] of [
    ['{"a":{"id": 9007199254740993}}', "The number 9007199254740993 of 'id' at line 1, column 13 would be rounded"],
    ["[-12345678901234567890]", "The number -12345678901234567890 of '' at line 1, column 2 would be rounded"],
    [`{"n":${"9".repeat(400)}}`, `The number ${"9".repeat(40)} of 'n'`],
  ] as const) {
    it(`refuses a whole number that would be rounded (WIRE-13): ${text.slice(0, 40)}`, () => {
      const parsed = parseJson(Buffer.from(text));
      assert.ok(!parsed.ok && parsed.reason.startsWith(problem), JSON.stringify(parsed));
    });
  }

  it("takes whole numbers that are exact, fractions of any length, and digits in text", () => {
    const text =
      '{"a": 9007199254740992, "b": 10000000000000000, "c": 0.12345678901234567890, "9007199254740993": "9007199254740993"}';
    assert.equal(parseJson(Buffer.from(text)).ok, true);
  });

  it("takes texts of millions of escapes beside long numbers", () => {
    const text = JSON.stringify({ note: '\\"'.repeat(3_000_000), id: 9_007_199_254_740_992 });
    assert.equal(parseJson(Buffer.from(text)).ok, true);
  });

  it("falls back to the message of JSON.parse for texts that are nested too deeply", () => {
    const parsed = parseJson(Buffer.from("[".repeat(45_000)));
    assert.equal(parsed.ok, false);
  });

  it("rejects more values than it can decode at once, however they are nested, and takes texts of any length (WIRE-23)", () => {
    const many = 50_001;
    for (const text of [
      `[${"0,".repeat(many)}0]`,
      `[${"{},".repeat(many)}{}]`,
      "[".repeat(many),
      `{${'"a":"",'.repeat(many)}"a":1}`,
      `[${'"\\\\","\\"",'.repeat(many / 2)}0]`,
    ])
      assert.deepEqual(parseJson(Buffer.from(text)), { ok: false, reason: "It has more than 50000 values." });
    for (const value of [[","], ['[{,\\"'], ["\\"]].map(([text = ""]) => text.repeat(many)))
      assert.deepEqual(parseJson(Buffer.from(JSON.stringify({ value }))), { ok: true, value: { value } });
  });

  it("rejects bytes that are not UTF-8", () => {
    assert.deepEqual(parseJson(Buffer.from([0x22, 0xc0, 0x22])), { ok: false, reason: "The text is not valid UTF-8." });
  });
});
