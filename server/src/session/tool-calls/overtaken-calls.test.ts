import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { BidiSessionServerMessage, SessionOutput } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { Code, type ConnectError } from "#status";
import {
  type AppSketch,
  brief,
  call,
  liveSessions,
  openStream,
  ScriptedModel,
  say,
  spoken,
  TEST_APP,
  testSession,
} from "#testing/engine";

const NAMES = ["locate", "photograph"];
const SKETCH: AppSketch = {
  agents: { Root: { tools: NAMES } },
  tools: NAMES.map((name) => ({
    name: `${TEST_APP}/tools/${name}`,
    displayName: name,
    toolType: { case: "clientFunction", value: { name } },
  })),
};
const text = (value: string) => ({ case: "text", value }) as const;
const responses = (...pairs: readonly (readonly [id: string, response: JsonObject])[]) =>
  ({
    case: "toolResponses",
    value: { toolResponses: pairs.map(([id, response]) => ({ id, response })) },
  }) as const;

/** What the model was told last, in short: texts and responses. */
const told = (model: ScriptedModel) =>
  (model.requests.at(-1)?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part): readonly JsonValue[] => {
      if (part.kind === "text") return [part.text];
      return part.kind === "function-response" && isJsonObject(part.response) ? [part.response] : [];
    }),
  );
const leftOut = (id: string) =>
  `A tool response was left out: no tool call with id '${id}' waits for a response in this session.`;

/** What the trace of a turn warns of, in the message that completes it. */
function warningsOf(message: BidiSessionServerMessage | undefined) {
  assert.ok(message?.messageType.case === "sessionOutput");
  return message.messageType.value.diagnosticInfo?.rootSpan?.attributes?.warnings;
}

const LATE = `<context>function [locate] completed with response {\n  "city": "Graz"\n}</context>`;

describe("a response of the client to a call that the user did not wait for (TOOL-46)", () => {
  it("reaches the agent as a late result, once, also after a restart", async () => {
    const model = new ScriptedModel(call("locate"), say("Still looking."), say("Graz, then."));
    await using session = await testSession({ ...SKETCH, model });
    await session.send("Where is the next shop?");
    await session.send("Hurry");
    await session.restart();
    const late = [responses(["call-locate", { city: "Graz" }])];
    assert.deepEqual(spoken(await session.send(late)).slice(0, 1), ["Graz, then."]);
    const gaveUp = "The client did not answer the call of locate; the user went on instead.";
    assert.deepEqual(told(model), [
      "Where is the next shop?",
      { status: "error", error: gaveUp },
      "Hurry",
      "Still looking.",
      LATE,
    ]);
    await assert.rejects(session.send(late), (error: ConnectError) => error.code === Code.InvalidArgument);
  });

  it("does not end an open stream", async () => {
    const model = new ScriptedModel(call("locate"), say("Still looking."), say("Graz, then."), say("Bye."));
    await using session = await testSession({ ...SKETCH, model });
    const stream = openStream(liveSessions(session), SKETCH);
    stream.config();
    for (const words of ["Where is the next shop?", "Hurry"]) {
      stream.text(words);
      await stream.turn();
    }
    stream.input(responses(["call-locate", { city: "Graz" }]));
    assert.deepEqual(await stream.turn(), ["Graz, then.", "completed 3"]);
    stream.text("Thanks");
    assert.deepEqual(await stream.turn(), ["Bye.", "completed 4"]);
    stream.halfClose();
    assert.deepEqual(await stream.rest(), []);
  });

  it("does not end an open stream either when it comes twice, or answers a call that nobody made (TOOL-14)", async () => {
    const model = new ScriptedModel(call("locate"), say("Graz, then."), call("photograph"), say("A cat."));
    await using session = await testSession({ ...SKETCH, model });
    const stream = openStream(liveSessions(session), SKETCH);
    stream.config();
    stream.text("Where is the next shop?");
    assert.deepEqual(await stream.turn(), ["toolCalls", "completed 1"]);
    const answer = responses(["call-locate", { city: "Graz" }]);
    stream.input(answer);
    stream.input(answer);
    assert.deepEqual(await stream.turn(), ["Graz, then.", "completed 2"]);
    assert.deepEqual(warningsOf(await stream.next()), [leftOut("call-locate")]);
    stream.text("What is on it?");
    assert.deepEqual(await stream.turn(), ["toolCalls", "completed 4"]);
    stream.input(responses(["call-locate", { city: "Linz" }], ["call-other", {}]));
    assert.equal(brief(await stream.next()), "toolCalls", "the call that waits is asked for again");
    assert.deepEqual(warningsOf(await stream.next()), [leftOut("call-locate"), leftOut("call-other")]);
    stream.input(responses(["call-locate", { city: "Linz" }], ["call-photograph", { shows: "a cat" }]));
    assert.deepEqual(await stream.turn(), ["A cat.", "completed 6"]);
    assert.deepEqual(told(model).slice(-2), ["What is on it?", { shows: "a cat" }]);
    stream.halfClose();
    assert.deepEqual(await stream.rest(), []);
  });

  it("waits while another call waits, since nothing comes between that and its response", async () => {
    const model = new ScriptedModel(call("locate"), call("photograph"), say("Both."));
    await using session = await testSession({ ...SKETCH, model });
    await session.send("Where am I?");
    await session.send("Look instead");
    const [asked] = await session.send([responses(["call-locate", { city: "Graz" }])]);
    assert.equal(asked?.outputType.case, "toolCalls");
    await session.send([responses(["call-photograph", { error: "no camera" }])]);
    assert.deepEqual(told(model).slice(-2), [{ error: "no camera" }, LATE]);
  });

  it("is refused for a call that nobody made, and twice in a request", async () => {
    const model = new ScriptedModel(call("locate"), say("Still looking."));
    await using session = await testSession({ ...SKETCH, model });
    await session.send("Where is the next shop?");
    await session.send([text("Hurry")]);
    await assert.rejects(session.send([responses(["call-other", {}])]), /no tool call with id 'call-other' waits/);
    const twice = responses(["call-locate", {}], ["call-locate", {}]);
    await assert.rejects(session.send([twice]), /has a response in this request already/);
  });
});

describe("calls to which a model gives the same id (TOOL-51)", () => {
  const idsOf = (outputs: readonly SessionOutput[]) =>
    outputs.flatMap(({ outputType }) =>
      outputType.case === "toolCalls" ? outputType.value.toolCalls.map(({ id }) => id) : [],
    );

  it("have ids of their own within an answer, so that the client can answer both", async () => {
    const model = new ScriptedModel(
      [...call("locate", {}, "call_0"), ...call("photograph", {}, "call_0")],
      say("Both."),
    );
    await using session = await testSession({ ...SKETCH, model });
    const [first = "", second = ""] = idsOf(await session.send("Where am I?"));
    assert.equal(first, "call_0");
    assert.notEqual(second, first);
    await session.send([responses([first, { city: "Graz" }], [second, { shows: "a cat" }])]);
    assert.deepEqual(told(model), ["Where am I?", { city: "Graz" }, { shows: "a cat" }]);
  });

  it("have ids of their own within a session: a late answer to one is none to another", async () => {
    const model = new ScriptedModel(call("locate", {}, "call_0"), call("locate", {}, "call_0"), say("Graz, then."));
    await using session = await testSession({ ...SKETCH, model });
    await session.send("Where is the next shop?");
    const [id = ""] = idsOf(await session.send("And mine?"));
    assert.notEqual(id, "call_0");
    const asked = await session.send([responses(["call_0", { city: "Linz" }])]);
    assert.deepEqual(idsOf(asked), [id], "the second call still waits");
    await session.send([responses([id, { city: "Graz" }])]);
    assert.deepEqual(told(model).slice(-2), [{ city: "Graz" }, LATE.replace("Graz", "Linz")]);
  });
});

describe("an asynchronous client function (TOOL-52)", () => {
  const later: AppSketch = {
    agents: { Root: { tools: NAMES } },
    tools: NAMES.map((name) => ({
      name: `${TEST_APP}/tools/${name}`,
      displayName: name,
      toolType: { case: "clientFunction", value: { name } },
      ...(name === "locate" && { executionType: ExecutionType.ASYNCHRONOUS }),
    })),
  };

  it("is sent to the client while the agent goes on, and its response is told when it comes", async () => {
    const model = new ScriptedModel(call("locate"), say("I look for you."), say("Of course."), say("Graz, then."));
    await using session = await testSession({ ...later, model });
    const [asked, ...rest] = await session.send("Where is the next shop?");
    assert.ok(asked?.outputType.case === "toolCalls");
    assert.deepEqual(
      asked.outputType.value.toolCalls.map(({ id, displayName }) => [id, displayName]),
      [["call-locate", "locate"]],
    );
    assert.equal(spoken(rest)[0], "I look for you.");
    assert.deepEqual(told(model), ["Where is the next shop?", { result: "pending" }]);
    assert.equal(spoken(await session.send("Is it open?"))[0], "Of course.");
    assert.equal(spoken(await session.send([responses(["call-locate", { city: "Graz" }])]))[0], "Graz, then.");
    assert.deepEqual(told(model).slice(-2), ["Of course.", LATE]);
  });

  it("does not hold back what waits for another function of the same answer", async () => {
    const model = new ScriptedModel([...call("locate"), ...call("photograph")], say("A cat."));
    await using session = await testSession({ ...later, model });
    const [asked] = await session.send("What is here?");
    assert.ok(asked?.outputType.case === "toolCalls");
    assert.equal(asked.outputType.value.toolCalls.length, 2);
    const both = responses(["call-photograph", { shows: "a cat" }], ["call-locate", { city: "Graz" }]);
    assert.equal(spoken(await session.send([both]))[0], "A cat.");
    assert.deepEqual(told(model), ["What is here?", { result: "pending" }, { shows: "a cat" }, LATE]);
  });
});
