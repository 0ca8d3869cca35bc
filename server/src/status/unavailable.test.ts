import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toErrorBody } from "./error-body.ts";
import { retryAfterOf, unavailable } from "./status-errors.ts";

describe("UNAVAILABLE (WIRE-42)", () => {
  it("says to try again after a second, with a reason or without", () => {
    for (const error of [unavailable("away"), unavailable("away", { reason: "SPEECH_UNAVAILABLE" })]) {
      assert.equal(retryAfterOf(error), 1);
      assert.match(
        JSON.stringify(toErrorBody(error)),
        /"@type":"type\.googleapis\.com\/google\.rpc\.RetryInfo","retryDelay":"1s"/,
      );
    }
  });

  it("says later where somebody knows better", () => {
    assert.equal(retryAfterOf(unavailable("left alone", { reason: "MODEL_LEFT_ALONE", retryMs: 9_500 })), 10);
  });
});
