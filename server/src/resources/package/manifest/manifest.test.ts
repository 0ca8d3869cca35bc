import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromJson } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { JsonObject, JsonValue } from "#base";
import { createFindings } from "../findings.ts";
import { parse, read } from "./__fixtures__/read-manifest-text.ts";
import type { Document } from "./document.ts";
import { freeFormDocument, toDocument } from "./document.ts";
import { formatDouble, formatFloat } from "./format-number.ts";
import { writeJson, writeYaml } from "./write-manifest.ts";

describe("Numbers in a manifest", () => {
  for (const [value, text] of [
    [0, "0.0"],
    [-0, "-0.0"],
    [1044, "1044.0"],
    [1.5, "1.5"],
    [0.001, "0.001"],
    [0.0009, "9.0E-4"],
    [9999999, "9999999.0"],
    [10000000, "1.0E7"],
    [123456789, "1.23456789E8"],
    [-2.5e-7, "-2.5E-7"],
    [1e21, "1.0E21"],
    [0.1 + 0.2, "0.30000000000000004"],
    [Number.MAX_SAFE_INTEGER, "9.007199254740991E15"],
  ] as const) {
    it(`have Java's format: ${text}`, () => assert.equal(formatDouble(value), text));
  }

  it("have the digits of a 32-bit float in float fields", () => {
    assert.equal(formatFloat(Math.fround(1.16)), "1.16");
    assert.equal(formatFloat(Math.fround(0.1)), "0.1");
    assert.equal(formatFloat(1), "1.0");
    assert.equal(formatFloat(Math.fround(16777216)), "1.6777216E7");
  });
});

describe("A JSON manifest", () => {
  const json = (value: JsonValue): string => writeJson(freeFormDocument(value));

  it("keeps lists on the line of their key, and objects of a list in `[{ … }, { … }]`", () => {
    assert.equal(
      json({ list: ["a", "b"], objects: [{ x: 1 }, { y: [] }] }),
      '{\n  "list": ["a", "b"],\n  "objects": [{\n    "x": 1.0\n  }, {\n    "y": []\n  }]\n}',
    );
  });

  it("writes an empty object on two lines", () => {
    assert.equal(json({ a: {}, b: [{}] }), '{\n  "a": {\n  },\n  "b": [{\n  }]\n}');
  });

  it("escapes characters that could end an element or an attribute, and no others", () => {
    assert.equal(
      json("<a href='x'>&=\u2028 é😀\t\u001f\u007f"),
      '"\\u003ca href\\u003d\\u0027x\\u0027\\u003e\\u0026\\u003d\\u2028 é😀\\t\\u001f\u007f"',
    );
  });

  it("sorts free-form keys by code point", () => {
    assert.equal(
      json({ b: null, a: true, "😀": "", "\uffff": "" }),
      '{\n  "a": true,\n  "b": null,\n  "\uffff": "",\n  "😀": ""\n}',
    );
  });

  it("has fields in field-number order, the type of a oneof among them, and no defaults", () => {
    const tool = fromJson(ToolSchema, {
      displayName: "t",
      widgetTool: { name: "t", uiConfig: { b: 1, a: null } },
      executionType: "SYNCHRONOUS",
      createTime: "2026-01-01T00:00:00Z",
      etag: "x",
      name: "n",
      timeout: "1.500s",
    });
    assert.equal(
      writeJson(toDocument(ToolSchema, tool)),
      '{\n  "name": "n",\n  "executionType": "SYNCHRONOUS",\n  "displayName": "t",\n  "timeout": "1.500s",\n  "widgetTool": {\n    "name": "t",\n    "uiConfig": {\n      "a": null,\n      "b": 1.0\n    }\n  }\n}',
    );
  });

  it("keeps a zero, a null and an empty text that were set, where presence is known", () => {
    const app = fromJson(AppSchema, {
      modelSettings: { temperature: 0 },
      variableDeclarations: [
        { name: "a", schema: { default: null } },
        { name: "b", schema: { default: "" } },
      ],
      loggingSettings: {},
      pinned: false,
    });
    assert.equal(
      writeJson(toDocument(AppSchema, app)),
      '{\n  "loggingSettings": {\n  },\n  "modelSettings": {\n    "temperature": 0.0\n  },\n  "variableDeclarations": [{\n    "name": "a",\n    "schema": {\n      "default": null\n    }\n  }, {\n    "name": "b",\n    "schema": {\n      "default": ""\n    }\n  }]\n}',
    );
  });
});

describe("A YAML manifest", () => {
  const text = (value: string): Document => ({ kind: "text", text: value });
  const yaml = (value: string): string => writeYaml({ kind: "object", members: [["k", text(value)]] });

  it("does not indent lists under their key", () => {
    const list: Document = {
      kind: "list",
      items: [
        text("a"),
        { kind: "list", items: [text("b")] },
        {
          kind: "object",
          members: [
            ["x", text("y")],
            ["z", { kind: "object", members: [] }],
          ],
        },
      ],
    };
    assert.equal(writeYaml({ kind: "object", members: [["k", list]] }), "k:\n- a\n- - b\n- x: y\n  z: {}\n");
  });

  it("is `{}` when it is empty", () => assert.equal(writeYaml({ kind: "object", members: [] }), "{}\n"));

  for (const [value, written] of [
    ["plain: no", "k: 'plain: no'\n"],
    ["it's", "k: it's\n"],
    ["'it's", "k: '''it''s'\n"],
    ["true", "k: 'true'\n"],
    ["12", "k: '12'\n"],
    ["1e5", "k: '1e5'\n"],
    ["2026-09-01", "k: '2026-09-01'\n"],
    ["", "k: ''\n"],
    ["- a", "k: '- a'\n"],
    ["-a", "k: -a\n"],
    ["a #b", "k: 'a #b'\n"],
    ["a\nb", "k: |-\n  a\n  b\n"],
    ["a\n\nb\n", "k: |\n  a\n\n  b\n"],
    ["a\n\n", "k: |+\n  a\n\n...\n"],
    [" a\nb", "k: |2-\n   a\n  b\n"],
    ["a \nb", 'k: "a \\nb"\n'],
    ["a\tb", 'k: "a\\tb"\n'],
    ["é😀", "k: é😀\n"],
    ["é😀 \nb\t𝒜", 'k: "é😀 \\nb\\t𝒜"\n'],
    [`${"word ".repeat(20)}end`, `k: ${"word ".repeat(16).trim()}\n  ${"word ".repeat(4)}end\n`],
    [`${"word ".repeat(20)} \nend`, `k: "${"word ".repeat(16).trim()}\\\n  \\ ${"word ".repeat(4)} \\nend"\n`],
  ] as const) {
    it(`writes ${JSON.stringify(value.slice(0, 20))} as PyYAML does`, async () => {
      assert.equal(yaml(value), written);
      assert.deepEqual(await parse("a.yaml", written), { value: { k: value }, warnings: [], violations: [] });
    });
  }
});

describe("A manifest file", () => {
  it("is parsed as JSON or YAML by its extension", async () => {
    assert.deepEqual((await parse("a.json", '\ufeff{"a": [1]}')).value, { a: [1] });
    assert.deepEqual((await parse("a.yaml", "a:\n- 1 # one\n")).value, { a: [1] });
    assert.deepEqual((await parse("a.yml", "base: &b {x: 1}\na:\n  <<: *b\n")).value, { base: { x: 1 }, a: { x: 1 } });
    assert.deepEqual((await parse("a.yaml", "")).value, {});
    assert.deepEqual((await parse("a.yaml", "%YAML 1.1\n---\na: 2026-09-01\n")).value, { a: "2026-09-01" });
  });

  for (const [path, text, field, description] of [
    ["a.json", '{\n  "a": 1\n  "b": 2\n}', "a.json:3:3", "Not valid JSON: comma expected."],
    ["a.json", '{"a": 1', "a.json:1:8", "Not valid JSON: close brace expected."],
    ["a.json", '{"a": 1,}', "a.json:1:9", "Not valid JSON: property name expected."],
    ["a.json", "{} // no", "a.json:1:4", "Not valid JSON: invalid comment token."],
    ["a.json", "[]", "a.json", "The file must hold an object of fields."],
    [
      "a.yaml",
      "a: [1\nb: 2\n",
      "a.yaml:2:1",
      "Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["a.yaml", "a: 1\n---\nb: 2\n", "a.yaml:2:1", "A manifest is a single document; this starts a second one."],
    ["a.json", '{"a": "\\ud83d"}', "a.json:1:1", "A text in it holds half a surrogate pair."],
    ["a.yaml", "- a\n", "a.yaml", "The file must hold an object of fields."],
  ] as const) {
    it(`that reads ${JSON.stringify(text)} is a violation at ${field}`, async () => {
      assert.deepEqual(await parse(path, text), {
        value: undefined,
        warnings: [],
        violations: [{ field, description }],
      });
    });
  }

  it("is a violation when it is not UTF-8", async () => {
    assert.deepEqual((await parse("a.json", Uint8Array.of(0x7b, 0xff, 0x7d))).violations, [
      { field: "a.json", description: "The file is not UTF-8 text." },
    ]);
  });

  it("can repeat a key, with a warning", async () => {
    assert.deepEqual(await parse("a.yaml", "a: 1\na: 2\n"), {
      value: { a: 2 },
      warnings: ["a.yaml:2:1: The key 'a' is repeated in its object; the last value was used."],
      violations: [],
    });
    const { value, warnings } = await parse("a.json", '{"a": 1,\n "b": {"a": 2}, "a": 3}');
    assert.deepEqual(value, { a: 3, b: { a: 2 } });
    assert.deepEqual(warnings, ["a.json:2:17: The key 'a' is repeated in its object; the last value was used."]);
  });

  it("has 20,000 values at most (PKG-32)", async () => {
    const tooMany = "The file has more than 20000 values.";
    const described = async (path: string, text: string) =>
      (await parse(path, text)).violations.map((each) => each.description);
    assert.deepEqual(await described("a.json", `{"a": [${"1,".repeat(20_000)}1]}`), [tooMany]);
    assert.deepEqual(await described("a.yaml", `a:\n${"- 1\n".repeat(20_000)}`), [tooMany]);
    assert.deepEqual(await described("a.json", `{"a": [${"1,".repeat(19_000)}1]}`), []);
  });

  it("is parsed beside the event loop when it is long, with the same result (PKG-32)", async () => {
    const long = "x".repeat(300_000);
    assert.deepEqual((await parse("a.yaml", `a: ${long.slice(0, 20_000)}\n`)).value, { a: long.slice(0, 20_000) });
    const { value, warnings } = await parse("a.json", `{"a": "${long}",\n "a": 1}`);
    assert.deepEqual(value, { a: 1 });
    assert.deepEqual(warnings, ["a.json:2:2: The key 'a' is repeated in its object; the last value was used."]);
    const { violations } = await parse("a.yaml", "a: b: c\n".repeat(5_000));
    assert.match(`${violations[0]?.field} ${violations[0]?.description}`, /^a\.yaml:1:\d+ Not valid YAML: /);
  });

  it("keeps unknown fields of a long text as they are spelled", async () => {
    const files = new Map([["a.yaml", new TextEncoder().encode(`x: ${"x".repeat(20_000)}\nn: {later: 1.50}\n`)]]);
    const manifest = await read("a.yaml", files, createFindings());
    assert.deepEqual(manifest?.sourceOf(manifest.json.n as JsonObject), {
      kind: "object",
      members: [["later", { kind: "literal", text: "1.50" }]],
    });
  });

  it("has no more values with what its aliases stand for", async () => {
    const { violations } = await parse("a.yaml", `a: &a [${"1,".repeat(1_000)}]\nb: [${"*a,".repeat(50)}]\n`);
    assert.deepEqual(
      violations.map(({ description }) => description),
      ["With what its aliases stand for, it has more than 20000 values."],
    );
  });

  it("cannot exhaust the parser with aliases or depth", async () => {
    const laughs = [
      "a: &a [x, x, x, x, x, x, x, x, x]",
      ..."bcdefghi"
        .split("")
        .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`),
    ];
    assert.deepEqual(
      (await parse("a.yaml", laughs.join("\n"))).violations.map(({ field }) => field),
      ["a.yaml:2:8"],
    );
    assert.deepEqual((await parse("a.yaml", "a: 1\nb: *hello*\n")).violations, [
      {
        field: "a.yaml:2:4",
        description: "The alias *hello* has no anchor before it. Quote the text if it is no alias.",
      },
    ]);
    assert.deepEqual(
      (await parse("a.yaml", "a: &self [*self]")).violations.map(({ field }) => field),
      ["a.yaml:1:11"],
    );
    assert.deepEqual(
      (await parse("a.json", "[".repeat(15_000))).violations.map(({ field }) => field),
      ["a.json:1:1"],
    );
    assert.equal((await parse("a.yaml", "[".repeat(200_000))).violations.length, 1);
  });
});
