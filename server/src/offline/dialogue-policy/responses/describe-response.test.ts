import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import { describeContext, describeResponse } from "./describe-response.ts";

describe("describing a function's response", () => {
  const table: readonly (readonly [what: string, response: JsonObject, described: string])[] = [
    [
      "fields as one sentence",
      { result: { order_id: "A-1", status: "IN_TRANSIT", items: ["a cup", "a pot"] } },
      "The order id is A-1, the status is in transit and the items are a cup and a pot.",
    ],
    [
      "fields with commas set apart by semicolons",
      { result: { city: "Rome, Italy", sky: "clear" } },
      "The city is Rome, Italy; the sky is clear.",
    ],
    ["a sentence that the tool wrote", { result: { message: "Your parcel is here.", id: 7 } }, "Your parcel is here."],
    ["a plain text result", { result: "All done" }, "All done."],
    ["booleans as yes and no", { output: { in_stock: true, is_gift: false } }, "In stock: yes and gift: no."],
    ["numbers as they are", { result: { total: 12.5 } }, "The total is 12.5."],
    [
      "no keys for the machine, no empty fields",
      { result: { _id: 1, access_token: "x", note: "", agent_action: "retry", name: "Ada" } },
      "The name is Ada.",
    ],
    [
      "nested objects under their name",
      { result: { city: "Rome", weather: { sky: "clear" } } },
      "The city is Rome. Weather: The sky is clear.",
    ],
    ["lists of objects with their count", { result: [{ id: 1 }, { id: 2 }] }, "There are 2. The id is 1. The id is 2."],
    [
      "at most five entries",
      { result: { lines: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id })) } },
      "Lines: There are 7. The id is 1. The id is 2. The id is 3. The id is 4. The id is 5. And 2 more.",
    ],
    ["an empty list", { result: [] }, "Nothing was found."],
    ["an empty object", {}, "Done."],
    ["a call that goes on", { result: "pending" }, "I have started that (slow job); the result is not there yet."],
    [
      "a failure of the platform",
      { status: "error", error: "Python function execution failed: boom" },
      "Sorry, that did not work.",
    ],
    ["a traceback without its lines", { error: "Traceback:\n  line 1\nKeyError: 'x'" }, "Sorry, that did not work."],
    [
      "an error that the tool returned",
      { result: { error: "There is no order 9." } },
      "Sorry, that did not work: There is no order 9.",
    ],
    [
      "the sentence that a failed tool advises",
      { result: { error: "none", agent_action: 'Say: "I could not find it."' } },
      "I could not find it.",
    ],
  ];
  for (const [what, response, described] of table) {
    it(`describes ${what}`, () => assert.equal(describeResponse("slow_job", response), described));
  }

  it("stays short", () => {
    const described = describeResponse("f", { result: { text: "word ".repeat(1000) } });
    assert.ok(described.length < 810 && described.endsWith(" …"));
  });
});

describe("context from the platform", () => {
  it("asks whether the user is there after a silence", () => {
    assert.equal(
      describeContext("<context>no user activity detected for 10 seconds.</context>"),
      "Are you still there?",
    );
  });

  it("describes the result of an asynchronous function", () => {
    assert.equal(
      describeContext('<context>function [book] completed with response {\n  "result": {"seat": "4A"}\n}</context>'),
      "The seat is 4A.",
    );
    assert.equal(
      describeContext('<context>function [book] failed with error {"error": "full"}</context>'),
      "Sorry, that did not work.",
    );
  });

  it("leaves everything else to the policy", () => {
    assert.equal(describeContext("hello"), undefined);
  });
});
