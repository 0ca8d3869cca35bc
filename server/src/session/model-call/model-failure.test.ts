import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resourceExhausted } from "#status";
import { ModelFailure } from "./model-failure.ts";

describe("a model that refuses", () => {
  it("is told to the client as the canonical code in words", () => {
    assert.equal(ModelFailure.of(resourceExhausted("Too many tokens.")).reason, "resource_exhausted");
  });
});
