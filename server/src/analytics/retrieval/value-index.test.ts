import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createValueIndex } from "./value-index.ts";

const PATHS = new Map([
  ["people", ["p", "d", "people"]],
  ["places", ["p", "d", "places"]],
]);

describe("values that a question names", () => {
  const index = createValueIndex();
  index.put("people", { name: ["Ana Núñez", "Ana", "Lee", "7"] });
  index.put("places", { town: ["Lee", "San José"], note: ["x".repeat(500)] });
  const found = (text: string) => index.find(text, PATHS).map(({ table, value }) => `${table.at(-1)}: ${value}`);

  it("are found without regard to case, diacritics and punctuation, the longest ones first", () => {
    assert.deepEqual(found("orders of ANA NUNEZ, in san jose?"), ["people: Ana Núñez", "places: San José"]);
    assert.deepEqual(found("orders of Ana"), ["people: Ana"]);
  });

  it("are all found where several columns have them; a digit alone is none", () => {
    assert.deepEqual(found("what did Lee buy"), ["people: Lee", "places: Lee"]);
    assert.deepEqual(found("the 7 best"), []);
  });

  it("are those of the tables that were asked, as they are now", () => {
    assert.deepEqual(index.find("Lee", new Map([["places", ["p", "d", "places"]]])).length, 1);
    index.put("places", { town: ["York"] });
    assert.deepEqual(found("Lee or York"), ["people: Lee", "places: York"]);
    index.remove("people");
    assert.deepEqual(found("Lee or York"), ["places: York"]);
  });
});
