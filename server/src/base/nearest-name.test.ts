import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nearestName } from "./nearest-name.ts";

describe("the name that was probably meant", () => {
  const FORMATS = ["table", "yaml", "json", "name"];
  for (const [name, meant] of [
    ["yml", "yaml"],
    ["ymal", "yaml"],
    ["jsn", "json"],
    ["JSON", "json"],
    ["tabel", "table"],
    ["xml", undefined],
    ["csv", undefined],
    ["yaml5", "yaml"],
    ["tcsv", undefined],
  ] as const)
    it(`of '${name}' is ${meant ?? "none: it is another word"}`, () => assert.equal(nearestName(name, FORMATS), meant));

  it("of a shell is no other shell", () => assert.equal(nearestName("tcsh", ["bash", "zsh", "fish"]), undefined));
});
