import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoredTurn } from "#session";
import { ScriptedModel, say, TEST_APP, testSession } from "#testing/engine";

/** The turns that an observer got, and the texts in them. */
function observer() {
  const observed: StoredTurn[] = [];
  const texts = () =>
    observed.map(({ messages }) => messages.flatMap(({ chunks }) => chunks.map(({ data }) => data.value)));
  return { observed, texts, observe: (turn: StoredTurn) => void observed.push(turn) };
}

describe("an observer of stored turns", () => {
  it("gets each turn once, redacted when the app redacts", async () => {
    const model = new ScriptedModel(say("Hello ann@mail.example"));
    const { observed, texts, observe } = observer();
    const app = { loggingSettings: { redactionConfig: { enableRedaction: true } } };
    await using session = await testSession({ model, agents: { Desk: {} }, app, engine: { observe } });
    await session.send("Hi");
    assert.deepEqual(texts(), [["Hi", "Hello [EMAIL_ADDRESS]"]]);
    assert.deepEqual(
      observed.map(({ session: name, app: of, turnIndex, source, logged, traceparent }) => [
        name,
        of,
        turnIndex,
        source,
        logged,
        traceparent,
      ]),
      [[`${TEST_APP}/sessions/session-1`, TEST_APP, 1, 1, true, undefined]],
    );
  });

  it("gets the information that the app logs no conversations", async () => {
    const { observed, observe } = observer();
    const app = { loggingSettings: { conversationLoggingSettings: { disableConversationLogging: true } } };
    await using session = await testSession({
      model: new ScriptedModel(say("Hi")),
      agents: { Desk: {} },
      app,
      engine: { observe },
    });
    await session.send("Hi");
    assert.deepEqual(
      observed.map(({ logged }) => logged),
      [false],
    );
  });

  it("fails no turn", async () => {
    const observe = () => {
      throw new Error("the observer is broken");
    };
    await using session = await testSession({
      model: new ScriptedModel(say("Hello")),
      agents: { Desk: {} },
      engine: { observe },
    });
    assert.equal((await session.send("Hi"))[0]?.outputType.value, "Hello");
  });
});
