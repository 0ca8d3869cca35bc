import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { DialogueExample, ModelMessage, ModelRequest } from "#models";
import { eventsOf } from "../dialogue-state.ts";
import { createCaseBase } from "./case-base.ts";
import { createSimilarity } from "./similarity.ts";

const user = (text: string): ModelMessage => ({ role: "user", parts: [{ kind: "text", text }] });
const model = (text: string): ModelMessage => ({ role: "model", parts: [{ kind: "text", text }] });
const called = (name: string, args: JsonObject): ModelMessage => ({
  role: "model",
  parts: [{ kind: "function-call", id: "1", name, args }],
});
const answered = (name: string, response: JsonObject): ModelMessage => ({
  role: "user",
  parts: [{ kind: "function-response", id: "1", name, response }],
});

const tool = (name: string) => ({ name, description: "", parameters: { type: "object" } });

function nextAction(cases: readonly DialogueExample[], messages: readonly ModelMessage[], state: JsonObject = {}) {
  const request: ModelRequest = {
    system: "",
    messages,
    tools: [tool("track"), tool("refund")],
    dialogueContext: {
      agentName: "Desk",
      instruction: "",
      transferTargets: [{ name: "Returns", description: "" }],
      state,
      examples: cases,
    },
  };
  return createCaseBase().nextAction(request, eventsOf(messages));
}

const tracking: DialogueExample = {
  name: "tracking",
  messages: [
    user("Where is my order A-1001?"),
    called("track", { order_id: "A-1001", region: "EU" }),
    answered("track", { result: { place: "Rome", order: "A-1001" } }),
    model("Your order A-1001 is in Rome."),
    user("Please refund 20 euros"),
    called("refund", { order_id: "A-1001", amount: "20" }),
  ],
};

describe("the case base", () => {
  it("makes the call of the case with the user's own value", () => {
    assert.deepEqual(nextAction([tracking], [user("where's my order B-2002?")]), {
      reason: "case:tracking",
      text: "",
      calls: [{ name: "track", args: { order_id: "B-2002", region: "EU" } }],
    });
  });

  it("fills a value that is missing in the text from the variable of its name", () => {
    assert.deepEqual(nextAction([tracking], [user("Where is my order B-2002?")], { region: "US" })?.calls, [
      { name: "track", args: { order_id: "B-2002", region: "US" } },
    ]);
  });

  it("prefers the user's value to a variable", () => {
    assert.deepEqual(nextAction([tracking], [user("Where is my order A-1001?")], { order_id: "Z-9" })?.calls, [
      { name: "track", args: { order_id: "A-1001", region: "EU" } },
    ]);
  });

  const here = (response: JsonObject) => [
    user("Where is my order B-2002?"),
    called("track", { order_id: "B-2002" }),
    answered("track", response),
  ];

  it("uses the text of the case with the values of the response", () => {
    assert.deepEqual(nextAction([tracking], here({ result: { place: "Oslo", order: "B-2002" } })), {
      reason: "case:tracking",
      text: "Your order B-2002 is in Oslo.",
      calls: [],
    });
  });

  it("describes the response itself when the text of the case would not be true of it", () => {
    assert.equal(
      nextAction([tracking], here({ result: { error: "not found" } }))?.text,
      "Sorry, that did not work: not found.",
    );
  });

  it("carries values on to later turns", () => {
    const messages = [
      ...here({ result: { place: "Oslo", order: "B-2002" } }),
      model("It is in Oslo."),
      user("please refund 35 euros"),
    ];
    assert.deepEqual(nextAction([tracking], messages)?.calls, [
      { name: "refund", args: { order_id: "B-2002", amount: "35" } },
    ]);
  });

  it("aligns after another beginning of the conversation", () => {
    const messages = [user("<event>session start</event>"), model("Hello!"), user("Where is my order B-2002?")];
    assert.equal(nextAction([tracking], messages)?.reason, "case:tracking");
  });

  it("does not act on another text, on another call or without the function", () => {
    assert.equal(nextAction([tracking], [user("Cancel my subscription")]), undefined);
    assert.equal(
      nextAction([tracking], [user("Where is my order A-1001?"), called("refund", {}), answered("refund", {})]),
      undefined,
    );
    const other: DialogueExample = {
      name: "other",
      messages: [user("Where is my order A-1001?"), called("unknown", {})],
    };
    assert.equal(nextAction([other], [user("Where is my order A-1001?")]), undefined);
  });

  it("does not make a call again that this turn has made", () => {
    const twice: DialogueExample = { name: "twice", messages: [user("go"), called("track", {}), called("track", {})] };
    assert.equal(nextAction([twice], [user("go"), called("track", {}), answered("track", {})]), undefined);
  });

  it("prefers the longest case, then the most alike", () => {
    const short: DialogueExample = { name: "short", messages: [user("please refund 35 euros"), model("No.")] };
    const messages = [
      ...here({ result: { place: "Oslo", order: "B-2002" } }),
      model("It is in Oslo."),
      user("please refund 35 euros"),
    ];
    assert.equal(nextAction([short, tracking], messages)?.reason, "case:tracking");
    const near: DialogueExample = { name: "near", messages: [user("where is my lovely order A-1?"), model("Near.")] };
    const exact: DialogueExample = { name: "exact", messages: [user("where is my order A-1?"), model("Exact.")] };
    assert.equal(nextAction([near, exact], [user("where is my order A-1?")])?.text, "Exact.");
  });

  it("transfers as the case does, and goes on after the transfer in the other agent", () => {
    const transfer: DialogueExample = {
      name: "transfer",
      messages: [user("send it back"), called("transfer_to_agent", { agent_name: "Returns" }), called("refund", {})],
    };
    assert.deepEqual(nextAction([transfer], [user("send it back")])?.calls, [
      { name: "transfer_to_agent", args: { agent_name: "Returns" } },
    ]);
    const after = [
      user("send it back"),
      called("transfer_to_agent", { agent_name: "Returns" }),
      answered("transfer_to_agent", { result: null }),
    ];
    assert.deepEqual(nextAction([transfer], after)?.calls, [{ name: "refund", args: {} }]);
  });

  it("understands goldens: no responses, matchers for arguments, one answer a turn", () => {
    const golden: DialogueExample = {
      name: "golden",
      messages: [
        user("Refund A-1001"),
        called("refund", {
          order_id: { $matchType: "semantic", $originalValue: "A-1001" },
          note: { $matchType: "ignore" },
        }),
        model("Done with A-1001."),
      ],
    };
    assert.deepEqual(nextAction([golden], [user("refund B-7")])?.calls, [
      { name: "refund", args: { order_id: "B-7" } },
    ]);
    const after = [
      user("refund B-7"),
      called("refund", { order_id: "B-7" }),
      answered("refund", { result: { id: "R-9" } }),
    ];
    assert.equal(nextAction([golden], after)?.text, "The id is R-9.");
  });

  it("does not replay a user's value of the case that is missing here", () => {
    const colour: DialogueExample = {
      name: "colour",
      messages: [user("track the big old parcel in red"), called("track", { colour: "red" })],
    };
    assert.equal(nextAction([colour], [user("track the big old parcel in blue")]), undefined);
  });
});

describe("the similarity of two texts", () => {
  const similarity = createSimilarity();

  it("is 1 for questions that differ in their values only", () => {
    assert.equal(similarity("Where is order A-1001?", "where is order B-7"), 1);
  });

  it("is low for texts that share stop words only", () => {
    assert.ok(similarity("I want to keep it", "I want to return it") < 0.7);
    assert.equal(similarity("yes", "no"), 0);
  });
});
