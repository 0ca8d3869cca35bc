import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { memberNames } from "./toolset-tool-names.ts";

const namesIn = (displayName: string, ...ids: string[]) => memberNames({ displayName, name: "apps/a/toolsets/t" }, ids);

describe("the function name of a toolset's tool", () => {
  it("is made of toolset and tool id", () => {
    assert.deepEqual(namesIn("shop-api", "getItem", "get-sum"), ["shop_api_getItem", "shop_api_get-sum"]);
    assert.deepEqual(namesIn("", "getItem"), ["t_getItem"]);
  });

  it("is changed to what models can call", () => {
    assert.deepEqual(namesIn("My shop", "items/{id}"), ["My_shop_items__id_"]);
    assert.deepEqual(namesIn("24h", "x"), ["_24h_x"]);
    const long = namesIn("shop", "x".repeat(80), `${"x".repeat(79)}y`);
    assert.deepEqual(
      long.map((name) => name.length),
      [64, 64],
    );
    assert.notEqual(long[0], long[1]);
  });

  it("is unique, and does not change when others are added", () => {
    const [spaced] = namesIn("shop", "a b", "a/b");
    const both = namesIn("shop", "a b", "a/b", "a_b");
    assert.deepEqual([both[0], both[2], new Set(both).size], [spaced, "shop_a_b", 3]);
  });
});
