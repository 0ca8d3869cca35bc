import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { DialogueContext, FunctionDeclaration, ModelMessage, ModelRequest, StreamPart } from "#models";
import { createBuiltinModel } from "./builtin-model.ts";

const string = (description = ""): JsonObject => ({ type: "string", description });

function declare(
  name: string,
  description: string,
  properties: JsonObject,
  required = Object.keys(properties),
): FunctionDeclaration {
  return { name, description, parameters: { type: "object", properties, required } };
}

const trackOrder = declare("track_order", "Finds where an order is.", {
  order_id: string("the order number, for example A-1001"),
});
const bookTable = declare("book_table", "Books a table in the restaurant.", {
  guests: { type: "integer", description: "how many guests come" },
  name: string("the name for the booking"),
});
const endSession = declare(
  "end_session",
  "Ends the session.",
  { reason: string(), session_escalated: { type: "boolean" } },
  ["reason"],
);

const user = (text: string): ModelMessage => ({ role: "user", parts: [{ kind: "text", text }] });
const model = (text: string): ModelMessage => ({ role: "model", parts: [{ kind: "text", text }] });
const called = (name: string, args: JsonObject): ModelMessage => ({
  role: "model",
  parts: [{ kind: "function-call", id: "x", name, args }],
});
const answered = (name: string, response: JsonObject): ModelMessage => ({
  role: "user",
  parts: [{ kind: "function-response", id: "x", name, response }],
});

interface Setting extends Partial<DialogueContext> {
  readonly tools?: readonly FunctionDeclaration[];
}

function request(
  messages: readonly ModelMessage[],
  { tools = [trackOrder, bookTable, endSession], ...context }: Setting = {},
): ModelRequest {
  return {
    system: "",
    messages,
    tools,
    dialogueContext: { agentName: "Desk", instruction: "", transferTargets: [], state: {}, examples: [], ...context },
  };
}

async function partsOf(modelRequest: ModelRequest): Promise<readonly StreamPart[]> {
  return Array.fromAsync(createBuiltinModel().stream(modelRequest, { signal: new AbortController().signal }));
}

/** The answer in short: the words, the calls as `name(args)`, and the rule that decided. */
async function answer(messages: readonly ModelMessage[], setting?: Setting) {
  const parts = await partsOf(request(messages, setting));
  const text = parts.map((part) => (part.kind === "text-delta" ? part.text : "")).join("");
  const calls = parts.flatMap((part) =>
    part.kind === "function-call" ? [`${part.name}(${JSON.stringify(part.args)})`] : [],
  );
  const rule = parts.flatMap((part) => (part.kind === "finish" ? [part.rawReason] : []))[0];
  return { text, calls, rule };
}

describe("the built-in model's stream", () => {
  it("emits text in deltas and ends with the rule that decided", async () => {
    assert.deepEqual(await partsOf(request([user("thanks")])), [
      ..."You are welcome. Is there anything else I can do for you?"
        .split(/(?<= )/)
        .map((text) => ({ kind: "text-delta", text })),
      { kind: "finish", reason: "stop", rawReason: "thanks", usage: {} },
    ]);
  });

  it("emits calls whole, with ids that count on through the conversation", async () => {
    const before = [
      user("track A-1"),
      called("track_order", { order_id: "A-1" }),
      answered("track_order", { result: "here it is" }),
      model("Here it is."),
    ];
    assert.deepEqual(await partsOf(request([...before, user("track A-2")])), [
      { kind: "function-call", id: "track_order-2", name: "track_order", args: { order_id: "A-2" } },
      { kind: "finish", reason: "tool-calls", rawReason: "tool:track_order", usage: {} },
    ]);
  });

  it("emits the same parts for the same request", async () => {
    const same = request([user("I need a table for 4")]);
    assert.deepEqual(await partsOf(same), await partsOf(same));
  });

  it("ends when its call is aborted", async () => {
    const parts = createBuiltinModel().stream(request([user("hello")]), {
      signal: AbortSignal.abort(new Error("gone")),
    });
    await assert.rejects(Array.fromAsync(parts), /gone/);
  });

  it("answers a request for JSON with the smallest value of the schema", async () => {
    const schema = { type: "object", properties: { blocked: { type: "boolean" } }, required: ["blocked"] };
    const [first] = await partsOf({ ...request([user("is this bad?")]), responseSchema: schema });
    assert.deepEqual(first, { kind: "text-delta", text: '{"blocked":false}' });
  });

  it("says that it is the built-in model when it has no tools, examples or sentences", async () => {
    const bare = await partsOf({ system: "", messages: [user("Write a poem")], tools: [] });
    const text = bare.map((part) => (part.kind === "text-delta" ? part.text : "")).join("");
    assert.equal(
      text,
      "I did not find anything here that fits that. I am Frontdesk's built-in model: this agent has no tools, examples or fixed sentences that I could answer with.",
    );
  });
});

describe("the built-in model's choice of an intent", () => {
  it("calls the tool of the best intent", async () => {
    assert.deepEqual(await answer([user("Where is my order A-77?")]), {
      text: "",
      calls: ['track_order({"order_id":"A-77"})'],
      rule: "tool:track_order",
    });
  });

  it("asks for what is missing, and calls with the answer", async () => {
    const wish = user("I'd like to book a table");
    const first = await answer([wish]);
    assert.deepEqual(first, {
      text: "Could you tell me how many guests come?",
      calls: [],
      rule: "ask:book_table.guests",
    });
    const second = await answer([wish, model(first.text), user("four")]);
    assert.deepEqual(second, {
      text: "Could you tell me the name for the booking?",
      calls: [],
      rule: "ask:book_table.name",
    });
    const third = await answer([wish, model(first.text), user("four"), model(second.text), user("Lovelace")]);
    assert.deepEqual(third.calls, ['book_table({"guests":4,"name":"Lovelace"})']);
  });

  it("leaves a question for another subject", async () => {
    const { calls } = await answer([
      user("book a table"),
      model("Could you tell me how many guests come?"),
      user("Where is my order A-1?"),
    ]);
    assert.deepEqual(calls, ['track_order({"order_id":"A-1"})']);
  });

  it("asks again when the answer has no value", async () => {
    const { text } = await answer([user("book a table"), model("Could you tell me how many guests come?"), user("ok")]);
    assert.equal(text, "Could you tell me how many guests come?");
  });

  it("accepts a yes to its offer", async () => {
    const messages = [
      user("book a table"),
      model("We are closed today. Shall I track your order A-7?"),
      user("yes please"),
    ];
    assert.deepEqual((await answer(messages)).calls, ['track_order({"order_id":"A-7"})']);
  });

  it("does not end the session over terms of its description", async () => {
    const ending = { ...endSession, description: "Ends the conversation because a person has to take over." };
    assert.deepEqual(
      (await answer([user("the handle broke because a person fell over it")], { tools: [ending] })).calls,
      [],
    );
  });

  it("fills a bare number into the tool with such a parameter", async () => {
    assert.deepEqual((await answer([user("A-1001")])).calls, ['track_order({"order_id":"A-1001"})']);
  });

  it("describes the response instead of calling again", async () => {
    const messages = [
      user("Where is order A-1?"),
      called("track_order", { order_id: "A-1" }),
      answered("track_order", { result: { place: "Oslo" } }),
    ];
    assert.deepEqual(await answer(messages), { text: "The place is Oslo.", calls: [], rule: "telling" });
  });

  it("describes all responses of parallel calls", async () => {
    const messages = [
      user("Where are they?"),
      called("track_order", { order_id: "A-1" }),
      answered("track_order", { result: "In Oslo" }),
      answered("track_order", { status: "error", error: "timed out" }),
    ];
    assert.equal((await answer(messages)).text, "In Oslo. Sorry, that did not work.");
  });

  it("still acts on the user's text when a callback has called another function first", async () => {
    const messages = [
      user("Where is order A-1?"),
      called("load_profile", {}),
      answered("load_profile", { result: { name: "Ada" } }),
    ];
    assert.deepEqual((await answer(messages)).calls, ['track_order({"order_id":"A-1"})']);
  });

  it("does not call a tool that is hidden", async () => {
    assert.deepEqual((await answer([user("Where is my order A-1?")], { tools: [bookTable] })).calls, []);
  });
});

describe("the built-in model among agents", () => {
  const targets = [
    { name: "Returns", description: "Takes back broken goods." },
    { name: "Front desk", description: "Opening hours and everything else." },
  ];

  it("transfers to the agent of the best intent", async () => {
    const { calls, rule } = await answer([user("my cup is broken")], { transferTargets: targets });
    assert.deepEqual([calls, rule], [['transfer_to_agent({"agent_name":"Returns"})'], "transfer:Returns"]);
  });

  it("acts on the same text after a transfer", async () => {
    const messages = [
      user("Where is order A-1?"),
      called("transfer_to_agent", { agent_name: "Desk" }),
      answered("transfer_to_agent", { result: null }),
    ];
    assert.deepEqual((await answer(messages, { transferTargets: targets })).calls, ['track_order({"order_id":"A-1"})']);
  });

  it("never returns within a turn to an agent that the turn came through", async () => {
    const messages = [
      user("my cup is broken"),
      called("transfer_to_agent", { agent_name: "Returns" }),
      answered("transfer_to_agent", { result: null }),
    ];
    assert.deepEqual((await answer(messages, { transferTargets: targets })).calls, []);
  });

  it("uses the fallback transfer of the instruction when no intent matches", async () => {
    const instruction = "For anything else transfer to {@AGENT: Front desk}.";
    assert.deepEqual((await answer([user("sing a song")], { transferTargets: targets, instruction })).calls, [
      'transfer_to_agent({"agent_name":"Front desk"})',
    ]);
  });
});

describe("the built-in model between a tool and a transfer", () => {
  it("transfers a request that its own tool covers only in part", async () => {
    const transferTargets = [{ name: "Front desk", description: "Knows who takes returns and where an order is." }];
    const { calls } = await answer([user("I want to return order A-1004")], { tools: [trackOrder], transferTargets });
    assert.deepEqual(calls, ['transfer_to_agent({"agent_name":"Front desk"})']);
  });
});

describe("the built-in model's responses", () => {
  const instruction = `<subtask name="Parcels"><step name="gifts"><trigger>The customer asks about gift wrapping.</trigger>
    <action>Say "We wrap gifts, {customer_name}."</action></step></subtask>
    Greet with "Welcome to the shop."`;

  it("opens a session with the instruction's greeting", async () => {
    assert.equal((await answer([user("<event>welcome</event>")], { instruction })).text, "Welcome to the shop.");
  });

  it("opens with its name and what it can do where the instruction has no greeting", async () => {
    assert.equal(
      (await answer([user("hello")])).text,
      "Hello, this is Desk. I can help with: finds where an order is; books a table in the restaurant.",
    );
  });

  it("uses the sentence that the instruction has for the subject", async () => {
    const { text, rule } = await answer([user("do you wrap gifts?")], { instruction, state: { customer_name: "Ada" } });
    assert.deepEqual([text, rule], ["We wrap gifts, Ada.", "instruction"]);
  });

  it("names the topics of the instruction when no intent matches", async () => {
    assert.equal(
      (await answer([user("sing a song")], { instruction })).text,
      "I did not find anything here that fits that. I can help with: parcels.",
    );
  });

  it("ends the session after a farewell", async () => {
    assert.deepEqual(await answer([user("thanks, bye")]), {
      text: "Thank you, and goodbye.",
      calls: ['end_session({"reason":"The customer said goodbye.","session_escalated":false})'],
      rule: "goodbye",
    });
  });

  it("gives only a farewell where it may not end the session", async () => {
    assert.deepEqual((await answer([user("bye")], { tools: [] })).calls, []);
  });

  it("escalates to a person through end_session", async () => {
    assert.deepEqual(await answer([user("let me talk to a human")]), {
      text: "One moment, I am handing you over to a person.",
      calls: ['end_session({"reason":"The customer asked for a person.","session_escalated":true})'],
      rule: "escalation",
    });
  });

  it("prefers an agent that leads to a person", async () => {
    const transferTargets = [{ name: "Live desk", description: "Escalates to a live agent." }];
    assert.deepEqual((await answer([user("let me talk to a human")], { transferTargets })).calls, [
      'transfer_to_agent({"agent_name":"Live desk"})',
    ]);
  });

  it("prefers a tool that leads to a person", async () => {
    const handOff = declare("human_handoff", "Creates a ticket.", {});
    assert.deepEqual((await answer([user("let me talk to a human")], { tools: [endSession, handOff] })).calls, [
      "human_handoff({})",
    ]);
  });

  it("transfers to an agent that the user names", async () => {
    const transferTargets = [{ name: "Billing", description: "Explains invoices." }];
    assert.deepEqual((await answer([user("let me talk to the billing agent")], { transferTargets })).calls, [
      'transfer_to_agent({"agent_name":"Billing"})',
    ]);
  });

  it("ends the session when nothing but the end is asked for", async () => {
    assert.equal((await answer([user("please close the chat")])).rule, "goodbye");
    assert.equal((await answer([user("please close my bank account")])).rule, "capabilities");
  });

  it("admits that there is no way to a person", async () => {
    assert.match(
      (await answer([user("human please")], { tools: [trackOrder] })).text,
      /^I cannot connect you with a person from here/,
    );
  });

  it("asks whether the user is there after silence", async () => {
    assert.equal(
      (await answer([user("<context>no user activity detected for 15 seconds.</context>")])).text,
      "Are you still there?",
    );
  });

  it("reads text only, and reports it", async () => {
    const image: ModelMessage = {
      role: "user",
      parts: [{ kind: "blob", mimeType: "image/png", data: new Uint8Array(1) }],
    };
    assert.match(
      (await answer([image])).text,
      /^I received image\/png, but Frontdesk's built-in model reads text only\./,
    );
  });

  it("does not treat state updates as text of the user", async () => {
    const messages = [
      user("Where is order A-1?"),
      called("track_order", { order_id: "A-1" }),
      answered("track_order", { result: "In Oslo" }),
      user("<state_update>place: Oslo</state_update>"),
    ];
    assert.equal((await answer(messages)).text, "In Oslo.");
  });
});

describe("the built-in model under adversarial texts", () => {
  const strange: readonly (readonly [what: string, text: string])[] = [
    ["one endless word", "a".repeat(200_000)],
    ["hyphens without end", "a-".repeat(100_000)],
    ["digits without end", "1 ".repeat(100_000)],
    ["opened tags", "<state_update>".repeat(20_000)],
    ["other alphabets", "где мой заказ А-1001? 注文はどこですか 🙂"],
    ["white space", " \n\t ".repeat(50_000)],
    ["regular expressions", "(a+)+$ [\\w]* {3,} \\"],
  ];
  for (const [what, text] of strange) {
    it(`answers ${what}`, async () => {
      const { text: words, calls } = await answer([user(text)]);
      assert.ok(words !== "" || calls.length > 0);
    });
  }

  it("reads instructions with tags that never end", async () => {
    const instruction = "<step name='x'>".repeat(20_000) + "<role>".repeat(20_000);
    assert.equal((await answer([user("Where is order A-1?")], { instruction })).rule, "tool:track_order");
  });
});
