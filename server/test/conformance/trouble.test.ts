import assert from "node:assert/strict";
import { describe } from "node:test";
import type { StreamPart } from "#models";
import { call, say } from "#testing";
import type { Json } from "./received-turn.ts";
import { type Talk, turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const PLAIN = { agents: { Root: {} } };
const declared = (name: string, type: string) => ({
  variableDeclarations: [{ name, description: "", schema: { type } }],
});

const send = (method: string, { address }: Pick<Talk, "address">, path: string) =>
  fetch(`${address}/v1beta/${path}`, { method });
/** The conversation of a talk as it is stored. */
const stored = async (talk: Talk): Promise<Json> =>
  (await send("GET", talk, talk.session.replace("/sessions/", "/conversations/"))).json();

describe("trouble", () => {
  verifiesTurn("trouble-two-turns", {
    app: PLAIN,
    model: [say("One."), say("Two.")],
    talk: async (talk) => {
      const turns = await Promise.all([talk.say("First"), talk.say("Second")]);
      const received = turns.map(({ texts, outputs }) => [texts.join(), outputs.at(-1)?.turnIndex]);
      assert.deepEqual(received.sort(), [
        ["One.", 1],
        ["Two.", 2],
      ]);
      const { turns: kept } = await stored(talk);
      assert.deepEqual(
        kept.map(({ messages }: Json) => messages.length),
        [2, 2],
      );
    },
  });

  verifiesTurn("trouble-others", {
    app: PLAIN,
    model: [],
    talk: async ({ say: ask, model, session }) => {
      const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly StreamPart[]>()];
      const slow = () => {
        begun.resolve();
        return released.promise;
      };
      model.extend(slow, say("At once."));
      const waiting = ask("Think");
      await begun.promise;
      assert.deepEqual((await ask("Hello", { session: `${session}-other` })).texts, ["At once."]);
      released.resolve(say("At last."));
      assert.deepEqual((await waiting).texts, ["At last."]);
    },
  });

  verifiesTurn("trouble-unasked", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async (talk) => {
      const { error } = await talk.say([{ toolResponses: { toolResponses: [{ id: "nobody-1", response: {} }] } }]);
      assert.equal(error?.code, "INVALID_ARGUMENT");
      assert.match(error?.message ?? "", /nobody-1/);
      assert.equal((await talk.say("Hello")).outputs.at(-1)?.turnIndex, 1);
    },
  });

  verifiesTurn("trouble-whole", {
    app: { agents: { Root: { instruction: "For {{name}}." } }, app: declared("name", "STRING") },
    model: [say("Hello.")],
    talk: async ({ say: ask, model }) => {
      const inputs = [{ variables: { name: "Ada" } }, { text: "Hello" }, { dtmf: "x" }, { dtmf: "y" }];
      const { error } = await ask(inputs);
      assert.equal(error?.code, "INVALID_ARGUMENT");
      assert.match(error?.message ?? "", /inputs\[2\][\s\S]*inputs\[3\]/);
      await ask("Hello");
      assert.equal(model.requests[0]?.system, "For {{name}}.");
    },
  });

  verifiesTurn("trouble-kinds", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ say: ask }) => {
      const wrong = [
        { dtmf: "hello" },
        { image: { mimeType: "image/tiff", data: "AAAA" } },
        { image: { data: "AAAA" } },
        { event: { event: "" } },
      ];
      for (const input of wrong) {
        const { error } = await ask([input]);
        assert.equal(error?.code, "INVALID_ARGUMENT", JSON.stringify(input));
        assert.match(error?.message ?? "", /inputs\[0\]|realtime_input/);
      }
      assert.equal((await ask("Hello")).outputs.at(-1)?.turnIndex, 1);
    },
  });

  verifiesTurn("trouble-nothing", {
    app: PLAIN,
    model: [],
    talk: async ({ say: ask }) => {
      for (const inputs of [[], [{}]]) {
        const { error } = await ask(inputs);
        assert.deepEqual([error?.code, /inputs/.test(error?.message ?? "")], ["INVALID_ARGUMENT", true]);
      }
    },
  });

  verifiesTurn("trouble-halves", {
    app: PLAIN,
    model: [say("One.")],
    talk: async (talk) => {
      assert.equal((await talk.say("a\ud800b")).error?.code, "INVALID_ARGUMENT");
      const words = "a\u0000\u0007b";
      assert.deepEqual((await talk.say(words)).texts, ["One."]);
      assert.equal((await stored(talk)).turns[0].messages[0].chunks[0].text, words);
    },
  });

  const DEPTH = 40;
  verifiesTurn("trouble-deep", {
    app: { agents: { Root: {} }, app: declared("deep", "OBJECT") },
    model: [say("One."), say("Two.")],
    talk: async (talk) => {
      let deep: object = { end: true };
      for (let level = 0; level < DEPTH; level++) deep = { deep };
      await talk.say([{ variables: deep }, { text: "Hello" }]);
      assert.deepEqual((await talk.say("Hello")).texts, ["Two."]);
      assert.match(JSON.stringify(await stored(talk)), /"end":true/);
    },
  });

  verifiesTurn("trouble-gone", {
    app: PLAIN,
    model: [say("One."), say("Two.")],
    talk: async (talk) => {
      await talk.say("First");
      await send("DELETE", talk, talk.session.replace("/sessions/", "/conversations/"));
      const turn = await talk.say("Second");
      assert.deepEqual([turn.texts, turn.outputs.at(-1)?.turnIndex], [["Two."], 1]);
      assert.doesNotMatch(JSON.stringify(talk.model.requests[1]?.messages), /First/);
    },
  });

  verifiesTurn("trouble-agent-gone", {
    app: { agents: { Root: { childAgents: ["$APP/agents/the-desk"] }, Desk: {} } },
    model: [call("transfer_to_agent", { agent_name: "Desk" }), say("Desk here."), say("Root here.")],
    talk: async (talk) => {
      await talk.say("First");
      const again = { displayName: "Desk", instruction: "Desk" };
      await send("DELETE", talk, `${talk.app}/agents/the-desk?force=true`);
      assert.deepEqual((await talk.say("Second")).shape().at(-1), ["Root", "text"]);
      // As it was, for the next wire.
      const headers = { "content-type": "application/json" };
      const made = (method: string, path: string, body: object) =>
        fetch(`${talk.address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
      await made("POST", `${talk.app}/agents?agentId=the-desk`, again);
      await made("PATCH", `${talk.app}/agents/the-root?updateMask=childAgents`, {
        childAgents: [`${talk.app}/agents/the-desk`],
      });
    },
  });
});
