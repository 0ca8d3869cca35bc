import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import type { DialogueEvent } from "../dialogue-state.ts";
import { fillSlots } from "./fill-slots.ts";
import { questionFor } from "./question.ts";

function declaration(properties: JsonObject, required: string[] = Object.keys(properties)): FunctionDeclaration {
  return { name: "f", description: "", parameters: { type: "object", properties, required } };
}
const nothing = { state: {}, events: [] };
const string = (description = "") => ({ type: "string", description });

describe("filling a function's parameters from the user's texts", () => {
  const table: readonly (readonly [what: string, properties: JsonObject, text: string, expected: JsonObject])[] = [
    [
      "an identifier by its example",
      { order_id: string("for example A-1001"), customer_id: string("for example 77") },
      "A-2002 for customer 12",
      { order_id: "A-2002", customer_id: "12" },
    ],
    [
      "an identifier by the word before it",
      { ticket_id: string(), order_id: string() },
      "order B7 and ticket C9",
      { ticket_id: "C9", order_id: "B7" },
    ],
    [
      "an enum by its words",
      { reason: { type: "string", enum: ["broken", "changed_mind"] } },
      "I changed my mind",
      { reason: "changed_mind" },
    ],
    ["an integer enum by its digits", { size: { type: "integer", enum: [1, 2] } }, "size 2 please", { size: 2 }],
    [
      "numbers, each used once and within its range",
      { rooms: { type: "integer", maximum: 5 }, nights: { type: "integer" } },
      "12 nights, two rooms",
      { rooms: 2, nights: 12 },
    ],
    ["a boolean by its subject", { gift_wrap: { type: "boolean" } }, "with gift wrap", { gift_wrap: true }],
    ["a negated boolean", { gift_wrap: { type: "boolean" } }, "no gift wrap", { gift_wrap: false }],
    ["a date", { delivery_date: string() }, "on 2026-03-05", { delivery_date: "2026-03-05" }],
    ["an e-mail address", { email: string() }, "mail ada@example.com", { email: "ada@example.com" }],
    ["a phone number", { phone_number: string() }, "on +49 30 1234567", { phone_number: "+49 30 1234567" }],
    [
      "a name after its introduction",
      { customer_name: string() },
      "hello, my name is Ada Lovelace",
      { customer_name: "Ada Lovelace" },
    ],
    ["a place after its preposition", { city: string() }, "the weather in New York today", { city: "New York" }],
    ["quoted text", { note: string() }, 'write "ring twice"', { note: "ring twice" }],
    ["text after the parameter's name", { colour: string() }, "colour: deep red, please", { colour: "deep red" }],
    [
      "the cause for a reason",
      { reason: string() },
      "I return it because the handle broke.",
      { reason: "the handle broke" },
    ],
    ["the whole text for a query", { query: string() }, "cheap flights to Rome", { query: "cheap flights to Rome" }],
    [
      "every identifier for a list",
      { order_ids: { type: "array", items: { type: "string" } } },
      "A-1 and A-2",
      { order_ids: ["A-1", "A-2"] },
    ],
    [
      "a nested object",
      { contact: { type: "object", properties: { email: string() }, required: ["email"] } },
      "ada@example.com",
      { contact: { email: "ada@example.com" } },
    ],
    [
      "a nullable parameter by its other type",
      { count: { anyOf: [{ type: "integer" }, { type: "null" }] } },
      "3 of them",
      { count: 3 },
    ],
  ];
  for (const [what, properties, text, expected] of table) {
    it(`extracts ${what}`, () => {
      assert.deepEqual(fillSlots(declaration(properties), [{ text }], nothing).args, expected);
    });
  }

  it("does not take an unnamed number for an optional parameter", () => {
    const filled = fillSlots(declaration({ page_size: { type: "integer" } }, []), [{ text: "2 mugs" }], nothing);
    assert.deepEqual([filled.args, filled.missing], [{}, []]);
  });

  it("names the required parameters that are not stated", () => {
    const filled = fillSlots(declaration({ order_id: string(), reason: string() }), [{ text: "return A-1" }], nothing);
    assert.deepEqual([filled.args, filled.missing.map(({ name }) => name)], [{ order_id: "A-1" }, ["reason"]]);
  });

  it("fills the requested parameter with plain words, and the rest from earlier texts", () => {
    const utterances = [{ text: "It arrived broken.", answers: "reason" }, { text: "I want to return A-1" }];
    const { args } = fillSlots(declaration({ order_id: string(), reason: string() }), utterances, nothing);
    assert.deepEqual(args, { order_id: "A-1", reason: "It arrived broken" });
  });

  it("prefers the newest of two answers", () => {
    const utterances = [
      { text: "it is too small", answers: "reason" },
      { text: "well", answers: "reason" },
    ];
    assert.deepEqual(fillSlots(declaration({ reason: string() }), utterances, nothing).args, {
      reason: "it is too small",
    });
  });

  it("fills a requested boolean with yes and no", () => {
    const filled = fillSlots(
      declaration({ confirmed: { type: "boolean" } }),
      [{ text: "no", answers: "confirmed" }],
      nothing,
    );
    assert.deepEqual(filled.args, { confirmed: false });
  });

  it("falls back on the variable, then on an earlier call, then on a variable such as last_order_id", () => {
    const orderOnly = declaration({ order_id: string() });
    const events: readonly DialogueEvent[] = [{ kind: "call", name: "other", args: { order_id: "A-2" } }];
    const fill = (state: JsonObject, earlier: readonly DialogueEvent[]) =>
      fillSlots(orderOnly, [{ text: "it" }], { state, events: earlier }).args;
    assert.deepEqual(fill({ order_id: "A-1", last_order_id: "A-3" }, events), { order_id: "A-1" });
    assert.deepEqual(fill({ order_id: "", last_order_id: "A-3" }, events), { order_id: "A-2" });
    assert.deepEqual(fill({ last_order_id: "A-3" }, []), { order_id: "A-3" });
  });

  it("does not reuse a reason that was given for another call", () => {
    const events: readonly DialogueEvent[] = [{ kind: "call", name: "f", args: { reason: "broken" } }];
    assert.deepEqual(fillSlots(declaration({ reason: string() }), [{ text: "again" }], { state: {}, events }).args, {});
  });
});

describe("asking for a missing parameter", () => {
  const ask = (name: string, schema: JsonObject) => {
    const [parameter] = fillSlots(declaration({ [name]: schema }), [{ text: "" }], nothing).missing;
    return parameter === undefined ? "" : questionFor(parameter);
  };

  it("asks by the description, without remarks for the model", () => {
    assert.equal(
      ask("order_id", string("The order number, e.g. A-1001 (REQUIRED). Ask for it.")),
      "Could you tell me the order number, e.g. A-1001?",
    );
  });

  it("addresses the customer", () => {
    assert.equal(ask("email", string("The customer's e-mail address")), "Could you tell me your e-mail address?");
  });

  it("names the choices of an enum", () => {
    assert.equal(
      ask("size", { type: "string", enum: ["small", "extra_large"] }),
      "Could you tell me the size (small or extra large)?",
    );
  });

  it("asks a boolean as a question of whether", () => {
    assert.equal(
      ask("gift", { type: "boolean", description: "Whether it is a gift" }),
      "Could you tell me whether it is a gift?",
    );
  });
});
