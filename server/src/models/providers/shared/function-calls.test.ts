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

  it("makes names out of history fit too, also when all declared names fit, and keeps them distinct from those", () => {
    assert.equal(functionNames(named("a.b")).toProvider("old.name"), "old_name");
    const names = functionNames(named("old_name"));
    assert.deepEqual([names.toProvider("old.name"), names.toProvider("old_name")], ["old_name_1", "old_name"]);
  });

  it("shortens a name with a digest of the whole, the same in every request", () => {
    const one = `shop_${"x".repeat(80)}`;
    const other = `${one}y`;
    const short = functionNames(named(one, other)).toProvider(other);
    assert.equal(functionNames(named(other)).toProvider(other), short);
    assert.equal(functionNames(named("find")).toProvider(other), short);
    assert.equal(functionNames(named(other), GEMINI_NAMES).toProvider(other), short);
    assert.match(short, /^shop_x{50}_[0-9a-f]{8}$/);
    assert.notEqual(functionNames(named(one, other)).toProvider(one), short);
    const names = functionNames(named(one, other));
    assert.deepEqual(
      [one, other].map((name) => names.fromProvider(names.toProvider(name))),
      [one, other],
    );
  });

  it("leaves names that Gemini accepts, and translates the rest", () => {
    const all = ["shop.find", "Order lookup", "24h", "Order_lookup"];
    const names = functionNames(named(...all), GEMINI_NAMES);
    const translated = all.map((name) => names.toProvider(name));
    assert.deepEqual(translated, ["shop.find", "Order_lookup_1", "_24h", "Order_lookup"]);
    assert.deepEqual(translated.map(names.fromProvider), all);
  });
});
