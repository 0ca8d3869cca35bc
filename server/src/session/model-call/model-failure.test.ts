import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resourceExhausted } from "#status";
import { ModelFailure } from "./model-failure.ts";

describe("a failed model call", () => {
  it("has the name of the status code as its reason", () => {
    assert.equal(ModelFailure.of(resourceExhausted("Too many tokens.")).reason, "resource_exhausted");
  });
});
