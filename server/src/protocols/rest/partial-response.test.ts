import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "#base";
import { parseFields, selectFields } from "./partial-response.ts";

const value: JsonValue = {
  name: "n",
  items: [{ id: 1, label: { text: "a", size: 2 } }, { id: 2 }],
  nextPageToken: "t",
};

describe("the fields parameter", () => {
  for (const [text, wanted] of [
    ["name", { name: "n" }],
    ["name,nextPageToken", { name: "n", nextPageToken: "t" }],
    ["next_page_token", { nextPageToken: "t" }],
    ["items/label/text", { items: [{ label: { text: "a" } }, {}] }],
    ["items.id", { items: [{ id: 1 }, { id: 2 }] }],
    ["items(id,label(size)),name", { name: "n", items: [{ id: 1, label: { size: 2 } }, { id: 2 }] }],
    ["*", value],
    ["items(*/size)", { items: [{ id: 1, label: { size: 2 } }, { id: 2 }] }],
    ["nothing", {}],
  ] as const) {
    it(`selects ${text}`, () => assert.deepEqual(selectFields(value, parseFields(text)), wanted));
  }

  it("rejects invalid selectors", () => {
    for (const text of ["", "a(", "a(b", "a)", ",a", "a,,b", "a b", "a/"])
      assert.throws(() => parseFields(text), /Invalid field selection/, text);
  });
});
