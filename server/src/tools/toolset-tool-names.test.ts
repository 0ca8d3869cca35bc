import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shortFunctionName } from "#models";
import { findByName, memberNames } from "./toolset-tool-names.ts";

const namesIn = (displayName: string, ...ids: string[]) => memberNames({ displayName, name: "apps/a/toolsets/t" }, ids);

describe("the function name of a toolset's tool", () => {
  it("is made of toolset and tool id", () => {
    assert.deepEqual(namesIn("shop-api", "getItem", "get-sum"), ["shop_api_getItem", "shop_api_get-sum"]);
    assert.deepEqual(namesIn("", "getItem"), ["t_getItem"]);
  });

  it("is changed to what models can call", () => {
    assert.deepEqual(namesIn("My shop", "items/{id}"), ["My_shop_items__id_"]);
    assert.deepEqual(namesIn("24h", "x"), ["_24h_x"]);
  });

  it("has any length, because providers with a limit get a short form", () => {
    assert.deepEqual(namesIn("shop", "x".repeat(80)), [`shop_${"x".repeat(80)}`]);
  });

  it("is unique, and does not change when others are added", () => {
    const [spaced] = namesIn("shop", "a b", "a/b");
    const both = namesIn("shop", "a b", "a/b", "a_b");
    assert.deepEqual([both[0], both[2], new Set(both).size], [spaced, "shop_a_b", 3]);
  });
});

describe("finding a tool by its name", () => {
  const find = (name: string, ...names: string[]) => findByName(new Map(names.map((each) => [each, each])), name);

  it("prefers the exact name, and takes one with other runs of underscores when it is the only one", () => {
    assert.equal(find("a_b", "a__b", "a_b"), "a_b");
    assert.equal(find("a_b", "a__b", "c"), "a__b");
    assert.equal(find("a__b", "a_b"), "a_b");
    assert.equal(find("a_b", "a__b", "a___b"), undefined);
    assert.equal(find("ab", "a_b"), undefined);
  });

  it("takes the short form that providers get", () => {
    const long = `shop_${"x__".repeat(30)}`;
    assert.equal(find(shortFunctionName(long), long, `${long}y`), long);
    assert.equal(find(shortFunctionName(long.replaceAll("__", "_")), long), long);
  });
});
