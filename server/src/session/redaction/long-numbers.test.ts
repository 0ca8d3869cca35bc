import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redactState } from "./redact-texts.ts";

/** Redacts numbers of cards with nineteen digits. */
const redactor = {
  redact: async (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\b6\d{18}\b/g, "[CARD]")),
};

describe("numbers of more digits than JavaScript holds", () => {
  it("are redacted like others, and stay as they came when they are nothing to redact (PY-42)", async () => {
    const state =
      '{"card":6759649826438453000,"order":12345678901234567890,"list":[6759649826438453001,9007199254740993],"price":5.0}';
    const redacted = '{"card":"[CARD]","order":12345678901234567890,"list":["[CARD]",9007199254740993],"price":5.0}';
    assert.equal(await redactState(redactor, state), redacted);
  });
});
