import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeJson } from "#base";
import { readToolResult } from "./tool-result.ts";

const text = (value: string) => ({ type: "text" as const, text: value });

describe("readToolResult", () => {
  it("parses text that is a JSON object or array, and no other text", () => {
    for (const [written, output] of [
      ['{"a": 1}', { a: 1 }],
      [" [1, 2]", [1, 2]],
      ["{broken", "{broken"],
      ["12", "12"],
      ["", ""],
    ] as const)
      assert.deepEqual(readToolResult({ content: [text(written)] }), { kind: "answered", response: { output } });
  });

  it("prefers structured content to text, whatever its value, and lists text that says something else", () => {
    for (const structuredContent of [{ a: 1 }, {}, 0 as never, false as never])
      assert.deepEqual(readToolResult({ content: [text("Ask which of them.")], structuredContent }), {
        kind: "answered",
        response: { output: structuredContent, content: [{ type: "text", text: "Ask which of them." }] },
      });
  });

  it("does not list text that repeats the structured content", () => {
    for (const [written, structuredContent] of [
      ['{ "a": [1, 2] }', { a: [1, 2] }],
      ["12", { result: 12 }],
      ["done", { result: "done" }],
      ["[1]", { result: [1] }],
      ["", { a: 1 }],
    ] as const)
      assert.deepEqual(readToolResult({ content: [text(written)], structuredContent }), {
        kind: "answered",
        response: { output: structuredContent },
      });
  });

  it("has numbers as the text writes them, where the structured content has them rounded", () => {
    const read = readToolResult({
      content: [text('{"id": 9007199254740993}')],
      structuredContent: { id: 9007199254740992 },
    });
    assert.equal(writeJson(read), '{"kind":"answered","response":{"output":{"id":9007199254740993}}}');
  });

  it("lists content other than text by type, media type and size", () => {
    const { response } = readToolResult({
      content: [
        text("Two things:"),
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///a.txt", text: "A", mimeType: "text/plain" } },
        { type: "resource", resource: { uri: "file:///b.bin", blob: "AAAAAAAA" } },
        text("Done."),
      ],
    }) as { response: object };
    assert.deepEqual(response, {
      output: "Two things:\nDone.",
      content: [
        { type: "audio", mimeType: "audio/wav", bytes: 3 },
        { type: "resource", uri: "file:///a.txt", mimeType: "text/plain", text: "A" },
        { type: "resource", uri: "file:///b.bin", bytes: 6 },
      ],
    });
  });

  it("returns an error when the tool reports one, with all that came with it (MCP-11)", () => {
    assert.deepEqual(readToolResult({ content: [text("No such file")], isError: true }), {
      kind: "failed",
      error: "No such file",
      more: {},
    });
    assert.deepEqual(readToolResult({ content: [], isError: true, structuredContent: { code: 4 } }), {
      kind: "failed",
      error: '{"code":4}',
      more: { output: { code: 4 } },
    });
    assert.deepEqual(
      readToolResult({
        content: [
          text("The form has errors."),
          { type: "image", data: "AAAA", mimeType: "image/png" },
          { type: "resource_link", uri: "file:///log.txt", name: "log", title: "The log", size: 7 },
        ],
        isError: true,
        structuredContent: { fields: ["zip"] },
      }),
      {
        kind: "failed",
        error: "The form has errors.",
        more: {
          output: { fields: ["zip"] },
          content: [
            { type: "image", mimeType: "image/png", bytes: 3 },
            { type: "resource_link", uri: "file:///log.txt", name: "log", title: "The log", bytes: 7 },
          ],
        },
      },
    );
    assert.deepEqual(
      readToolResult({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }], isError: true }),
      {
        kind: "failed",
        error: "see its content",
        more: { content: [{ type: "image", mimeType: "image/png", bytes: 3 }] },
      },
    );
  });

  it("does not repeat what the text of an error has already", () => {
    const structuredContent = { code: 4 };
    assert.deepEqual(readToolResult({ content: [text('{"code": 4}')], isError: true, structuredContent }), {
      kind: "failed",
      error: '{"code": 4}',
      more: {},
    });
  });
});
