import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { textOf } from "../live/messages.ts";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const SHOP = "https://shop.example";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true, config: { allowedOrigins: ["*"] } });
});
after(() => server[Symbol.asyncDispose]());

const newSession = () => `${APP}/sessions/${randomUUID()}`;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly chatToken?: string;
    readonly expireTime?: string;
    readonly error?: { readonly status: string; readonly message: string };
  };
}

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(`${server.address}/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

/** A deployment of the draft whose widget has these security settings; answers its name. */
async function deploymentWith(securitySettings: object): Promise<string> {
  const deploymentId = `web-${randomUUID().slice(0, 8)}`;
  const channelProfile = { channelType: "WEB_UI", webWidgetConfig: { securitySettings } };
  const deployment = { displayName: deploymentId, appVersion: `${APP}/versions/-`, channelProfile };
  const { status, body } = await post(`${APP}/deployments?deploymentId=${deploymentId}`, deployment);
  assert.equal(status, 200, JSON.stringify(body));
  return `${APP}/deployments/${deploymentId}`;
}

async function tokenFor(session: string, deployment: string, headers = {}): Promise<string> {
  const { body } = await post(`${session}:generateChatToken`, { deployment }, headers);
  return body.chatToken ?? assert.fail(JSON.stringify(body));
}

const ask = (session: string, token: string, more = {}, headers = {}) =>
  post(
    `${session}:runSession`,
    { config: { session, ...more }, inputs: [{ text: "Do you wrap gifts?" }] },
    { authorization: `Bearer ${token}`, ...headers },
  );

describe("GenerateChatToken", () => {
  it("answers a token and when it expires", async () => {
    const deployment = await deploymentWith({});
    const { status, body } = await post(`${newSession()}:generateChatToken`, { deployment });
    assert.equal(status, 200);
    assert.match(body.chatToken ?? "", /^[\w.-]+$/);
    assert.ok(Date.parse(body.expireTime ?? "") > Date.now());
  });

  it("stores its key for the owner of the data folder only", () => {
    assert.equal(statSync(join(server.dataDir, "chat-token.key")).mode & 0o777, 0o600);
  });

  it("rejects names that are wrong, of another app, or of nothing", async () => {
    const deployment = await deploymentWith({});
    const answers = await Promise.all([
      post(`${APP}/sessions/abc:generateChatToken`, { deployment }),
      post(`${newSession()}:generateChatToken`, { deployment: deployment.replace("order-desk", "other") }),
      post(`${newSession()}:generateChatToken`, { deployment: `${APP}/deployments/nowhere` }),
      post(`${newSession()}:generateChatToken`, {}),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 404, 400],
    );
  });

  it("checks the origin of the page when the deployment sets that", async () => {
    const deployment = await deploymentWith({ enableOriginCheck: true, allowedOrigins: [`${SHOP}/`] });
    const from = async (origin?: string) =>
      (await post(`${newSession()}:generateChatToken`, { deployment }, origin ? { origin } : {})).status;
    assert.deepEqual(
      [await from(SHOP), await from(server.address), await from("https://evil.example"), await from()],
      [200, 200, 403, 403],
    );
  });

  it("allows every origin when the deployment names none", async () => {
    const deployment = await deploymentWith({ enableOriginCheck: true });
    const { status } = await post(`${newSession()}:generateChatToken`, { deployment }, { origin: SHOP });
    assert.equal(status, 200);
  });

  it("rejects what it cannot verify", async () => {
    const deployment = await deploymentWith({ enableRecaptcha: true });
    const { body } = await post(`${newSession()}:generateChatToken`, { deployment, recaptchaToken: "x" });
    assert.equal(body.error?.status, "FAILED_PRECONDITION");
    assert.match(body.error?.message ?? "", /enable_recaptcha/);
  });
});

describe("the bearer of a chat token", () => {
  it("talks in its session, with its deployment named or not", async () => {
    const [session, deployment] = [newSession(), await deploymentWith({})];
    const token = await tokenFor(session, deployment);
    assert.deepEqual(
      [(await ask(session, token)).status, (await ask(session, token, { deployment })).status],
      [200, 200],
    );
    const conversation = await fetch(`${server.address}/v1/${session.replace("sessions", "conversations")}`);
    assert.equal(((await conversation.json()) as { deployment: string }).deployment, deployment);
  });

  it("talks in no other session, with no other deployment, and from no other page", async () => {
    const [session, deployment] = [newSession(), await deploymentWith({})];
    const token = await tokenFor(session, deployment, { origin: SHOP });
    const answers = [
      await ask(newSession(), token),
      await ask(session, token, { deployment: await deploymentWith({}) }),
      await ask(session, token, {}, { origin: "https://evil.example" }),
      await ask(session, token, {}, { origin: SHOP }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 200],
    );
  });

  it("is rejected when the token was tampered with; tokens of other systems are ignored", async () => {
    const session = newSession();
    const token = await tokenFor(session, await deploymentWith({}));
    const tampered = await ask(session, token.slice(0, -4));
    assert.deepEqual([tampered.status, tampered.body.error?.status], [401, "UNAUTHENTICATED"]);
    assert.equal((await ask(session, "ya29.somebody-else")).status, 200);
  });

  it("talks over a WebSocket, with the token in the address as pages have to", async () => {
    const session = newSession();
    const token = await tokenFor(session, await deploymentWith({}));
    const address = `${WS_PATH}?access_token=${token}&x-frontdesk-source=simulator`;
    await using client = await openWebSocket(server.address, address);
    client.send({ config: { session } });
    client.send({ realtimeInput: { text: "Do you wrap gifts?" } });
    assert.match(textOf(await client.turn()), /^We wrap every gift/);
    const conversation = await fetch(`${server.address}/v1/${session.replace("sessions", "conversations")}`);
    assert.equal(((await conversation.json()) as { source: string }).source, "LIVE", "only developers simulate");
    await using other = await openWebSocket(server.address, `${WS_PATH}?access_token=${token}`);
    other.send({ config: { session: newSession() } });
    const { code, reason } = await other.closed;
    assert.equal(code, 1008);
    assert.match(reason, /^generic::permission_denied: The chat token is not for session/);
  });
});
