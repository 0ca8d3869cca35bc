import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";
import { type Answer, callAs, setRoles, startAccessServer, tokenOf } from "./access-server.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const DEPLOYMENT = `${APP}/deployments/shop-page`;
const SHOP = "https://shop.example";

let server: TestServer;
before(async () => {
  server = await startAccessServer(["tess"], { example: true });
  const securitySettings = { enableOriginCheck: true, allowedOrigins: [SHOP] };
  const channelProfile = { channelType: "WEB_UI", webWidgetConfig: { webWidgetTitle: "Kettles", securitySettings } };
  const path = `${APP}/deployments?deploymentId=shop-page`;
  const made = await callAs(server, "root", "POST", path, { displayName: "shop-page", channelProfile });
  assert.equal(made.status, 200, JSON.stringify(made.json));
});
after(() => server[Symbol.asyncDispose]());

/** Calls as a page of an origin does, without a credential of its own. */
async function callFrom(origin: string, method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: {
      origin,
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

describe("a chat widget, where callers must be known", () => {
  const session = `${APP}/sessions/widget-session`;
  const tokenFor = (origin: string, deployment: string) =>
    callFrom(origin, "POST", `${session}:generateChatToken`, { deployment });

  it("gets a token, the texts of its deployment, and answers in its session alone", async () => {
    const { status, json } = await tokenFor(SHOP, DEPLOYMENT);
    assert.equal(status, 200, JSON.stringify(json));
    const texts = `${DEPLOYMENT}?fields=channelProfile.webWidgetConfig(webWidgetTitle,theme)`;
    assert.equal((await callFrom(SHOP, "GET", texts)).json.channelProfile.webWidgetConfig.webWidgetTitle, "Kettles");
    const talk = async (name: string) => {
      const body = { config: { session: name, deployment: DEPLOYMENT }, inputs: [{ text: "Hello" }] };
      return (await callFrom(SHOP, "POST", `${name}:runSession`, body, json.chatToken)).status;
    };
    assert.deepEqual([await talk(session), await talk(`${APP}/sessions/another-session`)], [200, 403]);
    assert.equal((await callFrom(SHOP, "GET", `${APP}/agents`, undefined, json.chatToken)).status, 403);
  });

  it("gets no token for a page that the deployment does not list, whether there is a deployment or not", async () => {
    const answers = [
      await tokenFor("https://rival.example", DEPLOYMENT),
      await tokenFor("https://rival.example", `${APP}/deployments/nothing-here`),
    ];
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(answers[0]?.status, 401);
  });
});

describe("a conversation over a stream", () => {
  it("ends at its next turn when the caller may talk no longer", async () => {
    await setRoles(server, APP, { "roles/ces.client": ["tess"] });
    const client = await openWebSocket(server.address, `${WS_PATH}?access_token=${tokenOf("tess")}`);
    client.send({ config: { session: `${APP}/sessions/long-stream` } });
    client.say("Hello");
    const messages = await client.turn();
    assert.equal(JSON.stringify(messages).includes("diagnosticInfo"), false);
    await setRoles(server, APP, {});
    client.say("Are you still there?");
    assert.match(
      (await client.closed).reason,
      /^generic::permission_denied: Permission 'ces\.sessions\.bidiRunSession'/,
    );
  });
});

describe("metrics", () => {
  const metrics = async (name: string) => {
    const headers: Record<string, string> = name ? { authorization: `Bearer ${tokenOf(name)}` } : {};
    return (await fetch(`${server.address}/metrics`, { headers })).status;
  };

  it("of all projects are for those who may read them on the server", async () => {
    assert.deepEqual([await metrics(""), await metrics("tess"), await metrics("root")], [401, 403, 200]);
  });
});
