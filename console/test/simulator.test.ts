import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { SpanSchema } from "@frontdesk/protos/ces/common";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { mockCode } from "../src/features/replay/mock-code.ts";
import { payloadViews } from "../src/features/simulator/payloads/payload-views.ts";
import { parseHistory } from "../src/features/simulator/session-history.ts";
import { formatSessionIds, parseSessionIds } from "../src/features/simulator/session-ids.ts";
import { recordedInput } from "../src/features/simulator/turn-input.ts";
import { webLink } from "../src/features/simulator/web-link.ts";
import { callbackRuns } from "../src/features/traces/checks/callback-runs.ts";
import { changesOf, stateAt } from "../src/features/traces/session-state.ts";

const message = (role: string, ...chunks: { case: string; value: unknown }[]) =>
  create(MessageSchema, { role, chunks: chunks.map((data) => ({ data: data as never })) });

describe("a payload", () => {
  it("is drawn by the type of its widget", () => {
    const parameters = {
      heading: "Cups",
      products: [{ title: "Blue", price: 3, url: "https://a.example/b", size: "M" }],
    };
    assert.deepEqual(payloadViews({ widget: { name: "show", type: "PRODUCT_CAROUSEL", parameters } }), [
      {
        kind: "cards",
        heading: "Cups",
        cards: [
          { title: "Blue", text: "", price: "3", link: "https://a.example/b", facts: [{ name: "Size", value: "M" }] },
        ],
      },
    ]);
    assert.deepEqual(payloadViews({ widget: { type: "OVERALL_SATISFACTION", parameters: { max: 1e9 } } }), [
      { kind: "rating", heading: "", most: 5 },
    ]);
  });

  it("is not drawn when it is not what it says, or nothing that is known", () => {
    assert.equal(payloadViews({ widget: "PRODUCT_CAROUSEL" }), undefined);
    assert.equal(payloadViews({ anything: [1] }), undefined);
    assert.equal(payloadViews({ widget: { type: "NEW_KIND", parameters: {} } }), undefined);
  });

  it("links to the web only", () => {
    assert.deepEqual(["javascript:alert(1)", "data:text/html,x", "file:///etc", "/here"].map(webLink), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(webLink("https://shop.example/a"), "https://shop.example/a");
  });
});

describe("the variables of a turn", () => {
  it("are what the turns before it left, and what it changed", () => {
    const turns = [
      { messages: [message("user", { case: "defaultVariables", value: { a: 1, b: "x" } })] },
      { messages: [message("Root", { case: "updatedVariables", value: { a: 2, c: [1] } })] },
    ];
    const state = stateAt(turns, 1);
    assert.deepEqual(state, { before: { a: 1, b: "x" }, after: { a: 2, b: "x", c: [1] } });
    assert.deepEqual(changesOf(state), [
      { name: "a", before: "1", after: "2" },
      { name: "c", before: undefined, after: "[\n  1\n]" },
    ]);
    assert.deepEqual(changesOf(stateAt(turns, 0)), []);
  });
});

describe("the callbacks of a turn", () => {
  it("that did not run say why", () => {
    const python = (value: string, more = {}) => ({ callback: { case: "pythonCode" as const, value }, ...more });
    const agent = create(AgentSchema, {
      displayName: "Root",
      beforeModelCallbacks: [python("a", { description: "one" }), python("b", { description: "two" })],
      afterModelCallbacks: [python("c"), python("d", { disabled: true })],
      beforeToolCallbacks: [python("e")],
      validationErrors: ["after_model_callbacks[0]: defines no after_model_callback."],
    });
    const attributes = { agent: "Root", stage: "before_model", description: "one", overrides: true };
    const root = create(SpanSchema, { attributes: { agent: "Root" }, childSpans: [{ name: "Callback", attributes }] });
    assert.deepEqual(
      callbackRuns([agent], root).map(({ stage, at, runs, reason }) => [stage, at, runs, reason]),
      [
        ["before_model", 0, 1, ""],
        ["before_model", 1, 0, "An earlier callback of this stage returned a value, which ends the stage."],
        ["after_model", 0, 0, "defines no after_model_callback."],
        ["after_model", 1, 0, "Disabled."],
        ["before_tool", 0, 0, "No tool was called."],
      ],
    );
  });
});

describe("what is typed for a session", () => {
  it("may be a past, a line a message or as the API has it", () => {
    assert.deepEqual(parseHistory("User: Hi\nRoot: Hello: you"), {
      value: [
        { role: "user", chunks: [{ text: "Hi" }] },
        { role: "Root", chunks: [{ text: "Hello: you" }] },
      ],
    });
    assert.match(parseHistory("no speaker").error ?? "", /has no role/);
    assert.match(parseHistory('[{"role": 1}]').error ?? "", /Invalid messages/);
  });

  it("is read back from the record as it was sent", () => {
    const said = [
      message("user", { case: "text", value: "<event>session start</event>" }, { case: "text", value: "Hi" }),
    ];
    assert.deepEqual(recordedInput(said), [
      { kind: "event", event: "welcome" },
      { kind: "text", text: "Hi" },
    ]);
  });

  it("names sessions in the address by ids alone", () => {
    assert.deepEqual(parseSessionIds("first-1~../apps~first-1~second"), ["first-1", "second"]);
    assert.equal(formatSessionIds(["first-1", "second"]), "first-1~second");
  });
});

describe("the code of a mocked tool", () => {
  it("holds the answer as a text, whatever is in it", () => {
    const answer = { a: 'quote " and \\ and\nline', b: "'''" };
    const literal = /json\.loads\((".*")\)/.exec(mockCode(answer))?.[1] ?? "";
    assert.deepEqual(JSON.parse(JSON.parse(literal)), answer);
  });
});
