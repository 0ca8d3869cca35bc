import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe } from "node:test";
import { nonEmptyFields } from "#base";
import type { ModelRequest } from "#models";
import { say } from "#testing";
import { openGrpc } from "../live/grpc-client.ts";
import { textOf } from "../live/messages.ts";
import { openWebSocket } from "../live/web-socket-client.ts";
import type { Json } from "./received-turn.ts";
import { TURN_SURFACES } from "./requirements/requirement.ts";
import { TURN_WIRES } from "./turn-wires.ts";
import { type Talk, turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

/** Says its own instruction, so that an answer shows which version of the app gave it. */
const echo = ({ system }: ModelRequest) => say(system);
const echoes = (count: number) => Array.from({ length: count }, () => echo);
const APP = { agents: { Root: { instruction: "draft" } } };

/** Changes of the app, as anybody makes them over REST. */
function changes({ address, app }: Pick<Talk, "address" | "app">) {
  const send = async (method: string, path: string, body: object): Promise<string> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
    const json = (await answer.json()) as Json;
    assert.equal(answer.status, 200, JSON.stringify(json));
    return json.name;
  };
  const instruct = (instruction: string) =>
    send("PATCH", `${app}/agents/the-root?updateMask=instruction`, { instruction });
  return {
    instruct,
    /** A version whose agent says `instruction`. */
    release: async (instruction: string) => {
      await instruct(instruction);
      return send("POST", `${app}/versions`, {});
    },
    deploy: (deployment: object) =>
      send("POST", `${app}/deployments`, { displayName: randomUUID(), channelProfile: {}, ...deployment }),
    change: (deployment: string, mask: string, value: object) =>
      send("PATCH", `${deployment}?updateMask=${mask}`, value),
  };
}

const split = (...parts: readonly (readonly [version: string, percent: number])[]) => ({
  experimentConfig: {
    versionRelease: {
      state: "RUNNING",
      trafficAllocations: parts.map(([appVersion, trafficPercentage], at) => ({
        id: `part-${at}`,
        trafficPercentage,
        appVersion,
      })),
    },
  },
});

/** One open stream over the wire of a talk. */
const openStream = ({ surface, address }: Talk) =>
  surface === "grpc-bidi" ? Promise.resolve(openGrpc(address)) : openWebSocket(address);

describe("releases", () => {
  verifiesTurn("release-split", {
    app: APP,
    model: echoes(32),
    talk: async (talk) => {
      const { release, deploy, change } = changes(talk);
      const [one, two] = [await release("one"), await release("two")];
      const deployment = await deploy({ appVersion: one, ...split([one, 50], [two, 50]) });
      const sessions = Array.from({ length: 16 }, () => `${talk.app}/sessions/${randomUUID()}`);
      const ask = async (session: string) => (await talk.say("Hello", { session, deployment })).texts.join();
      const first: string[] = [];
      for (const session of sessions) first.push(await ask(session));
      assert.deepEqual([...new Set(first)].sort(), ["one", "two"]);
      await change(deployment, "experimentConfig", split([two, 100]));
      const second: string[] = [];
      for (const session of sessions) second.push(await ask(session));
      assert.deepEqual(second, first);
    },
  });

  verifiesTurn("release-split-wires", {
    app: APP,
    model: echoes(TURN_SURFACES.length + 1),
    talk: async (talk) => {
      const { release, deploy } = changes(talk);
      const [one, two] = [await release("one"), await release("two")];
      const deployment = await deploy({ appVersion: one, ...split([one, 50], [two, 50]) });
      const [first] = (await talk.say("Hello", { deployment })).texts;
      for (const surface of TURN_SURFACES) {
        const { session } = talk;
        const turn = await TURN_WIRES[surface](talk.address, { session, deployment } as never, [{ text: "Hello" }]);
        assert.deepEqual(turn.texts, [first], surface);
      }
    },
  });

  verifiesTurn("release-draft", {
    app: APP,
    model: echoes(3),
    talk: async (talk) => {
      const { release, deploy, instruct } = changes(talk);
      await release("one");
      const deployments = [await deploy({ appVersion: `${talk.app}/versions/-` }), await deploy({})];
      await instruct("draft");
      for (const deployment of [undefined, ...deployments]) {
        const config = { session: `${talk.app}/sessions/${randomUUID()}`, ...nonEmptyFields({ deployment }) };
        assert.deepEqual((await talk.say("Hello", config)).texts, ["draft"]);
      }
    },
  });

  verifiesTurn("release-change", {
    app: APP,
    model: echoes(2),
    talk: async (talk) => {
      const { instruct } = changes(talk);
      for (const words of ["first", "second"]) {
        await instruct(words);
        assert.deepEqual((await talk.say("Hello")).texts, [words]);
      }
    },
  });

  verifiesTurn("release-change-stream", {
    app: APP,
    model: echoes(2),
    talk: async (talk) => {
      const { instruct } = changes(talk);
      await using client = await openStream(talk);
      client.send({ config: { session: talk.session } });
      for (const words of ["first", "second"]) {
        await instruct(words);
        client.say("Hello");
        assert.equal(textOf(await client.turn()), words);
      }
    },
  });

  verifiesTurn("release-pinned-stream", {
    app: APP,
    model: echoes(2),
    talk: async (talk) => {
      const { release, deploy, change } = changes(talk);
      const deployment = await deploy({ appVersion: await release("one") });
      await using client = await openStream(talk);
      client.send({ config: { session: talk.session, deployment } });
      client.say("Hello");
      assert.equal(textOf(await client.turn()), "one");
      await change(deployment, "appVersion", { appVersion: await release("two") });
      client.say("Hello again");
      assert.equal(textOf(await client.turn()), "one");
    },
  });

  verifiesTurn("release-record", {
    app: APP,
    model: echoes(1),
    talk: async (talk) => {
      const { release, deploy } = changes(talk);
      const appVersion = await release("one");
      const deployment = await deploy({ appVersion });
      await talk.say("Hello", { deployment });
      const name = talk.session.replace("/sessions/", "/conversations/");
      const conversation = (await (await fetch(`${talk.address}/v1beta/${name}`)).json()) as Json;
      assert.deepEqual([conversation.deployment, conversation.appVersion], [deployment, appVersion]);
    },
  });

  verifiesTurn("release-persona", {
    app: { ...APP, app: { defaultChannelProfile: { personaProperty: { persona: "CHATTY" } } } },
    model: echoes(2),
    talk: async (talk) => {
      const { deploy } = changes(talk);
      assert.match((await talk.say("Hello")).texts.join(), /Take your time in your answers/);
      const deployment = await deploy({ channelProfile: { personaProperty: { persona: "CONCISE" } } });
      const session = `${talk.session}-concise`;
      assert.match((await talk.say("Hello", { session, deployment })).texts.join(), /Keep your answers short/);
    },
  });

  const CHANNELS =
    '{% if channel == "web" %}Web.{% endif %}{% if channel == "telephony" %}Phone.{% endif %}{% if modality == "text" %}Text.{% endif %}';
  verifiesTurn("release-channel", {
    app: { agents: { Root: { instruction: CHANNELS } } },
    model: echoes(2),
    talk: async (talk) => {
      const { deploy } = changes(talk);
      for (const [channelType, expected] of [
        ["WEB_UI", "Web.Text."],
        ["FIVE9", "Phone.Text."],
      ]) {
        const deployment = await deploy({ channelProfile: { channelType } });
        const session = `${talk.app}/sessions/${randomUUID()}`;
        assert.deepEqual((await talk.say("Hello", { session, deployment })).texts, [expected]);
      }
    },
  });

  verifiesTurn("release-dtmf", {
    app: APP,
    model: [],
    talk: async (talk) => {
      const deployment = await changes(talk).deploy({ channelProfile: { disableDtmf: true } });
      const turn = await talk.say([{ dtmf: "12#" }], { deployment });
      assert.deepEqual(turn.texts, []);
      assert.match(JSON.stringify(turn.outputs.at(-1)?.diagnosticInfo?.rootSpan), /disables DTMF/);
    },
  });

  verifiesTurn("release-wrong", {
    app: APP,
    model: [],
    talk: async (talk) => {
      const unknown = await talk.say("Hello", { deployment: `${talk.app}/deployments/nowhere` });
      const other = await talk.say("Hello", { deployment: `${talk.app}-two/deployments/nowhere` });
      assert.deepEqual([unknown.error?.code, other.error?.code], ["NOT_FOUND", "INVALID_ARGUMENT"]);
    },
  });
});
