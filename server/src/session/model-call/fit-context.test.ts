import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelMessage, ModelRequest } from "#models";
import { type ConnectError, failedPrecondition, reasonOf } from "#status";
import { call, ScriptedModel, say, spoken, TEST_APP, testSession } from "#testing/engine";

const words = ({ parts }: ModelMessage) => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [part.kind]));
const told = ({ messages }: ModelRequest) => messages.map(words);

const tools = [
  {
    name: `${TEST_APP}/tools/look`,
    displayName: "look",
    toolType: { case: "clientFunction" as const, value: { name: "look" } },
  },
];

/** A model whose context holds so many characters of conversation. */
function small(most: number, answer: ReturnType<typeof say>) {
  return (request: ModelRequest) => {
    const { length } = told(request).flat().join("");
    if (length <= most) return answer;
    const message = `Model 'test/scripted' answered with HTTP status 400: ${length} tokens > ${most} maximum.`;
    return failedPrecondition(message, { reason: "MODEL_CONTEXT_EXCEEDED" });
  };
}

describe("a conversation that has outgrown its model (TURN-49)", () => {
  it("goes on with its end, from an input of the user on, and the values that were told before", async () => {
    const model = new ScriptedModel(say("a".repeat(400)), say("b".repeat(400)));
    await using session = await testSession({
      model,
      agents: { Root: { instruction: "The name is {name}." } },
      variables: { name: "Ada" },
    });
    await session.send("One");
    await session.send("Two");
    model.extend(small(600, say("Here.")), small(600, say("Here.")));
    const outputs = await session.send("Three");
    assert.equal(spoken(outputs)[0], "Here.");
    assert.deepEqual(model.requests.slice(-1).map(told), [
      [["<state_update>name: Ada</state_update>", "Two"], ["b".repeat(400)], ["Three"]],
    ]);
    assert.deepEqual(outputs.at(-1)?.diagnosticInfo?.rootSpan?.attributes?.warnings, [
      "The conversation is longer than the context of test/scripted: the oldest 2 of its 5 messages were left out of a call.",
    ]);
    assert.equal((await session.storage.conversations.getTurns(`${TEST_APP}/conversations/session-1`)).length, 3);
  });

  it("is not refused again in later turns, also after a restart, until it has outgrown the model again", async () => {
    const model = new ScriptedModel(say("a".repeat(400)), say("b".repeat(400)));
    await using session = await testSession({ model, agents: { Root: {} } });
    await session.send("One");
    await session.send("Two");
    model.extend(small(600, say("Here.")), small(600, say("Here.")), small(600, say("c".repeat(200))));
    await session.send("Three");
    await session.send("Four");
    assert.deepEqual(told(model.requests[4] as ModelRequest)[0], ["Two"]);
    await session.restart();
    model.extend(small(600, say("Too long.")), small(600, say("There.")));
    assert.equal(spoken(await session.send("Five"))[0], "There.");
    assert.deepEqual(
      model.requests.slice(5).map((request) => told(request)[0]),
      [["Two"], ["Three"]],
    );
  });

  it("is tried whole again after an hour, for the model may hold more under the same name", async () => {
    let now = Date.parse("2026-05-01T10:00:00Z");
    const model = new ScriptedModel(say("a".repeat(400)), small(300, say("b")), small(300, say("b")));
    await using session = await testSession({ model, agents: { Root: {} }, engine: { clock: { now: () => now } } });
    await session.send("One");
    await session.send("Two");
    model.extend(small(9_000, say("c")));
    now = Date.parse("2026-05-01T10:59:00Z");
    await session.send("Three");
    assert.deepEqual(told(model.requests[3] as ModelRequest)[0], ["Two"]);
    now = Date.parse("2026-05-01T11:00:00Z");
    model.extend(small(300, say("d")), small(300, say("d")), small(9_000, say("e")), small(9_000, say("f")));
    await session.send("Four");
    now = Date.parse("2026-05-01T12:01:00Z");
    await session.send("Five");
    await session.send("Six");
    assert.deepEqual(
      model.requests.slice(4).map((request) => told(request)[0]),
      [["One"], ["Two"], ["One"], ["One"]],
      "refused once, then taken whole, and from then on",
    );
  });

  it("is given whole to another model", async () => {
    const model = new ScriptedModel(say("a".repeat(400)), small(300, say("Here.")), small(300, say("Here.")));
    const large = Object.assign(new ScriptedModel(say("All of it.")), { label: "test/large" });
    let resolved = model;
    await using session = await testSession({
      model,
      agents: { Root: {} },
      engine: { models: { resolve: () => resolved } },
    });
    await session.send("One");
    await session.send("Two");
    resolved = large;
    assert.equal(spoken(await session.send("Three"))[0], "All of it.");
    assert.equal(large.requests[0]?.messages.length, 5);
  });

  it("never loses the present input, nor what came of it", async () => {
    const long = "c".repeat(300);
    const model = new ScriptedModel(say(long), say(long), call("look"));
    await using session = await testSession({ model, agents: { Root: { tools: ["look"] } }, tools });
    for (const input of ["One", "Two", "Three"]) await session.send(input);
    model.extend(small(100, say("Seen.")), small(100, say("Seen.")));
    const response = { toolResponses: [{ id: "call-look", response: { seen: "d".repeat(60) } }] };
    const outputs = await session.send([{ case: "toolResponses", value: response }]);
    assert.equal(spoken(outputs)[0], "Seen.");
    assert.deepEqual(model.requests.slice(-1).map(told), [[["Three"], ["function-call"], ["function-response"]]]);
  });

  it("is refused once in a turn of several calls", async () => {
    const model = new ScriptedModel(say("a".repeat(400)));
    await using session = await testSession({ model, agents: { Root: { tools: ["look"] } }, tools });
    await session.send("One");
    const unknown = call("unknown");
    model.extend(small(200, unknown), small(200, unknown), small(200, say("Here.")));
    assert.equal(spoken(await session.send("Two"))[0], "Here.");
    assert.deepEqual(
      model.requests.slice(-3).map((request) => told(request)[0]),
      [["One"], ["Two"], ["Two"]],
    );
  });

  it("fails with what to do when the present input alone is too long", async () => {
    const model = new ScriptedModel(say("Hello."), small(10, []), small(10, []));
    await using session = await testSession({ model, agents: { Root: {} } });
    await session.send("Hi");
    await assert.rejects(
      session.send("e".repeat(100)),
      (error: ConnectError) => reasonOf(error) === "MODEL_CONTEXT_EXCEEDED",
    );
  });
});
