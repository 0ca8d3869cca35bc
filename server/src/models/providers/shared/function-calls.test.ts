import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FunctionDeclaration } from "../../contract.ts";
import { functionNames, GEMINI_NAMES } from "./function-calls.ts";

const named = (...names: readonly string[]): FunctionDeclaration[] =>
  names.map((name) => ({ name, description: "", parameters: {} }));

describe("functionNames", () => {
  it("leaves names that fit as they are", () => {
    const names = functionNames(named("get_weather", "find-order"));
    assert.equal(names.toProvider("get_weather"), "get_weather");
    assert.equal(names.fromProvider("find-order"), "find-order");
  });

  it("translates invalid names, keeps them distinct, and translates them back", () => {
    const long = `toolset.${"x".repeat(80)}`;
    const all = ["shop.find", "shop_find", "shop:find", "größe", long];
    const names = functionNames(named(...all));
    const translated = all.map((name) => names.toProvider(name));
    assert.deepEqual(translated.slice(0, 4), ["shop_find_1", "shop_find", "shop_find_2", "gr__e"]);
    assert.equal(translated[4]?.length, 64);
    assert.deepEqual(
      translated.map((name) => names.fromProvider(name)),
      all,
    );
  });

  it("makes names out of history fit too", () => {
    assert.equal(functionNames(named("a.b")).toProvider("old.name"), "old_name");
  });

  it("leaves names that Gemini accepts, and translates the rest", () => {
    const all = ["shop.find", "Order lookup", "24h", "Order_lookup"];
    const names = functionNames(named(...all), GEMINI_NAMES);
    const translated = all.map((name) => names.toProvider(name));
    assert.deepEqual(translated, ["shop.find", "Order_lookup_1", "_24h", "Order_lookup"]);
    assert.deepEqual(translated.map(names.fromProvider), all);
  });
});
