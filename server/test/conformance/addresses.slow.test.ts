import assert from "node:assert/strict";
import dns, { type LookupAddress } from "node:dns";
import { after, before, describe, mock } from "node:test";
import { say } from "#testing";
import type { Json } from "./received-turn.ts";
import { createTurnApp, idOf } from "./turn-app.ts";
import { TURN_WIRES } from "./turn-wires.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const PLAIN = { agents: { Root: {} } };
const HOSTS = ["ces.googleapis.com", "ces.us.rep.googleapis.com", "ces.eu.rep.googleapis.com", "localhost"];

/** As if the operator had pointed the hosted product's names at this machine. */
before(() => {
  const lookup = (
    _host: string,
    options: { readonly all?: boolean },
    answer: (error: null, address: string | readonly LookupAddress[], family?: number) => void,
  ) => {
    if (options.all) answer(null, [{ address: "127.0.0.1", family: 4 }]);
    else answer(null, "127.0.0.1", 4);
  };
  mock.method(dns, "lookup", lookup as unknown as typeof dns.lookup);
});
after(() => mock.restoreAll());

const post = async (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("addresses", () => {
  verifiesTurn("address-hosts", {
    app: PLAIN,
    model: HOSTS.map((host) => say(`At ${host}.`)),
    talk: async ({ surface, address, session }) => {
      for (const host of HOSTS) {
        const turn = await TURN_WIRES[surface](address.replace("127.0.0.1", host), { session }, [{ text: "Hello" }]);
        assert.deepEqual(turn.texts, [`At ${host}.`]);
      }
    },
  });

  verifiesTurn("address-revisions", {
    app: PLAIN,
    model: [say("One."), say("Beta.")],
    talk: async ({ surface, address, session }) => {
      const inRevision = (revision: "v1" | "v1beta") =>
        TURN_WIRES[surface](address, { session }, [{ text: "Hello" }], { revision });
      assert.deepEqual([(await inRevision("v1")).texts, (await inRevision("v1beta")).texts], [["One."], ["Beta."]]);
    },
  });

  verifiesTurn("address-locations", {
    app: PLAIN,
    model: [say("Hello."), say("Hello.")],
    talk: async ({ surface, address }) => {
      for (const location of ["eu", "europe-west3"]) {
        const app = await createTurnApp(address, `at-${surface}`, PLAIN, `projects/test/locations/${location}`);
        const config = { session: `${app}/sessions/first-one` };
        const turn = await TURN_WIRES[surface](address, config, [{ text: "Hello" }], { location: "eu" });
        assert.deepEqual(turn.texts, ["Hello."]);
      }
    },
  });

  verifiesTurn("address-path-session", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ surface, address, session }) => {
      const verb = surface === "rest" ? "runSession" : "streamRunSession";
      const response = await post(`${address}/v1beta/${session}:${verb}`, { inputs: [{ text: "Hello" }] });
      assert.match(await response.text(), /"text": ?"Hello\."/);
    },
  });

  verifiesTurn("address-framing", {
    app: PLAIN,
    model: [say("Hello."), say("Hello.")],
    talk: async ({ address, session }) => {
      const url = `${address}/v1beta/${session}:streamRunSession`;
      const body = { config: { session }, inputs: [{ text: "Hello" }] };
      const array = (await (await post(url, body)).json()) as Json;
      const lines = (await (await post(`${url}?alt=sse`, body)).text()).split("\n");
      const events = lines.flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
      const textsOf = (answers: readonly Json[]) => answers.map(({ outputs: [output] }) => output.text);
      assert.deepEqual([textsOf(array), textsOf(events)], [textsOf(events), ["Hello.", undefined]]);
    },
  });

  verifiesTurn("address-token", {
    app: PLAIN,
    model: [say("Hello.")],
    talk: async ({ surface, address, app, session }) => {
      const deploymentId = idOf(surface);
      const made = {
        displayName: deploymentId,
        appVersion: `${app}/versions/-`,
        channelProfile: { channelType: "WEB_UI" },
      };
      assert.equal((await post(`${address}/v1/${app}/deployments?deploymentId=${deploymentId}`, made)).status, 200);
      const deployment = `${app}/deployments/${deploymentId}`;
      const answer = await post(`${address}/v1/${session}:generateChatToken`, { deployment });
      const { chatToken: token } = (await answer.json()) as Json;
      const ask = (config: { readonly session: string }) =>
        TURN_WIRES[surface](address, config, [{ text: "Hello" }], { token });
      assert.deepEqual((await ask({ session })).texts, ["Hello."]);
      assert.equal((await ask({ session: `${session}-other` })).error?.code, "PERMISSION_DENIED");
    },
  });
});
