import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { REQUIREMENTS } from "./requirements/index.ts";

const cited = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts"))
  .flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), "utf8").matchAll(/verifies(?:Live|Turn)?\(\s*"([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    ),
  );

describe("the table of requirements", () => {
  it("has a test for every requirement", () => {
    assert.deepEqual(
      Object.keys(REQUIREMENTS).filter((id) => !cited.includes(id)),
      [],
    );
  });

  it("is cited by known ids only", () => {
    assert.deepEqual(
      cited.filter((id) => !(id in REQUIREMENTS)),
      [],
    );
  });
});
