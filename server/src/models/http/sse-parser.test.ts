import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cut } from "../__fixtures__/fake-provider.ts";
import { SseParser } from "./sse-parser.ts";

function parse(...chunks: readonly (string | Uint8Array)[]): string[] {
  const parser = new SseParser();
  const events: string[] = [];
  for (const chunk of chunks) parser.push(Buffer.from(chunk as Uint8Array), events);
  parser.end(events);
  return events;
}

describe("SseParser", () => {
  const stream =
    'event: delta\ndata: {"text":"Grüße 🛶 日本"}\n\n: a comment\nid: 7\ndata: two\ndata: lines\n\ndata:last\n\n';
  const events = ['{"text":"Grüße 🛶 日本"}', "two\nlines", "last"];

  it("yields the same events however the bytes are cut, even inside a character", () => {
    const bytes = Buffer.from(stream);
    for (let size = 1; size <= bytes.length; size += 1) assert.deepEqual(parse(...cut(bytes, size)), events, `${size}`);
  });

  it("accepts CRLF line ends, also cut between the two", () => {
    const bytes = Buffer.from(stream.replaceAll("\n", "\r\n"));
    for (let size = 1; size <= bytes.length; size += 1) assert.deepEqual(parse(...cut(bytes, size)), events, `${size}`);
  });

  it("removes one space after the colon, and no more", () => {
    assert.deepEqual(parse("data:  two spaces\n\n", "data:none\n\n"), [" two spaces", "none"]);
  });

  it("ignores events without data, and those with empty data", () => {
    assert.deepEqual(parse("event: ping\n\n", "data\n\n", "data:\n\n", "data: x\n\n"), ["x"]);
  });

  it("ignores a byte order mark", () => {
    assert.deepEqual(parse("\ufeffdata: first\n\n"), ["first"]);
  });

  it("yields an event whose closing blank line is missing", () => {
    assert.deepEqual(parse("data: one\n\ndata: two"), ["one", "two"]);
    assert.deepEqual(parse("data: one\n\ndata: two\n"), ["one", "two"]);
  });

  it("yields an event as soon as its blank line arrives", () => {
    const parser = new SseParser();
    const seen: string[] = [];
    parser.push(Buffer.from("data: one\n"), seen);
    assert.deepEqual(seen, []);
    parser.push(Buffer.from("\n"), seen);
    assert.deepEqual(seen, ["one"]);
  });
});
