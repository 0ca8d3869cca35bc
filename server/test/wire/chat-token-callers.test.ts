import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { WebSocket } from "ws";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";
const SHOP = "https://shop.example";
const RIVAL = "https://rival.example";
const NAMED = `${APP}/deployments/named`;
const OPEN = `${APP}/deployments/open-to-all`;
const TITLE = `${NAMED}?fields=channelProfile.webWidgetConfig(webWidgetTitle,theme)`;

interface Answer {
  readonly status: number;
  readonly origin: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON as any client would look into it
  readonly json: any;
}

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
  const rule = { enableOriginCheck: true, allowedOrigins: [SHOP] };
  for (const [id, securitySettings] of [
    ["named", rule],
    ["open-to-all", {}],
  ] as const)
    await call("POST", `${APP}/deployments?deploymentId=${id}`, {
      displayName: id,
      channelProfile: { channelType: "WEB_UI", webWidgetConfig: { webWidgetTitle: "Kettles", securitySettings } },
    });
});
after(() => server[Symbol.asyncDispose]());

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const origin = answer.headers.get("access-control-allow-origin");
  return { status: answer.status, origin, json: text ? JSON.parse(text) : undefined };
}

function ask(session: string, headers: Readonly<Record<string, string>>, deployment = NAMED): Promise<Answer> {
  const name = `${APP}/sessions/${session}`;
  const request = { config: { session: name, deployment }, inputs: [{ text: "Hello" }] };
  return call("POST", `${name}:runSession`, request, headers);
}

async function tokenFor(session: string, origin: string, deployment = NAMED): Promise<Answer> {
  return call("POST", `${APP}/sessions/${session}:generateChatToken`, { deployment }, { origin });
}

/** Headers of an end user with a token for the session. */
async function endUser(session: string, origin = SHOP): Promise<Record<string, string>> {
  const { json } = await tokenFor(session, origin);
  return { origin, authorization: `Bearer ${json.chatToken}` };
}

describe("a page that a deployment allows and the operator does not", () => {
  it("passes the preflight, gets a token, runs a turn with it, and reads the settings of the widget", async () => {
    const preflight = await call("OPTIONS", `${APP}/sessions/shop-visit:runSession`, undefined, {
      origin: SHOP,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    });
    assert.deepEqual([preflight.status, preflight.origin], [204, SHOP]);
    const turn = await ask("shop-visit", await endUser("shop-visit"));
    assert.deepEqual([turn.status, turn.origin], [200, SHOP]);
    assert.notEqual(turn.json.outputs.length, 0);
    const { json } = await call("GET", TITLE, undefined, { origin: SHOP });
    assert.deepEqual(json, { channelProfile: { webWidgetConfig: { webWidgetTitle: "Kettles" } } });
  });

  it("gets no token for a deployment that does not allow it, nor does a page that no deployment allows", async () => {
    for (const refused of [await tokenFor("shop-visit", SHOP, OPEN), await tokenFor("rival-visit", RIVAL)]) {
      assert.equal(refused.status, 403);
      assert.equal(refused.json.error.details[0].reason, "ORIGIN_NOT_ALLOWED");
    }
    const sandboxed = await tokenFor("rival-visit", "null");
    assert.deepEqual([sandboxed.status, /allow-same-origin/.test(sandboxed.json.error.message)], [403, true]);
    assert.equal((await call("GET", TITLE, undefined, { origin: RIVAL })).status, 403);
    assert.equal((await call("GET", TITLE.replace(NAMED, OPEN), undefined, { origin: SHOP })).status, 403);
  });

  it("runs turns with its own token only", async () => {
    const shop = await endUser("shop-visit");
    const refused = [
      await ask("shop-visit", { origin: SHOP }),
      await ask("shop-visit", { origin: SHOP, authorization: "Bearer of-another-system" }),
      await ask("other-visit", shop),
      await ask("shop-visit", shop, OPEN),
      await ask("shop-visit", { ...shop, origin: RIVAL }),
    ];
    assert.deepEqual(
      refused.map(({ status, json }) => [status, json.error.details[0].reason]),
      refused.map(() => [403, "CHAT_TOKEN_SCOPE"]),
    );
  });

  it("may call nothing else, with or without a token", async () => {
    const shop = await endUser("shop-visit");
    for (const headers of [{ origin: SHOP }, shop])
      for (const path of [APP, NAMED, `${APP}/conversations/shop-visit`, `${NAMED}?fields=name`]) {
        const { status, origin } = await call("GET", path, undefined, headers);
        assert.deepEqual([path, status, origin], [path, 403, null]);
      }
  });

  it("does not go on with a session that a program began, also where its token is older than the session", async () => {
    const began = `${APP}/sessions/customer-4711`;
    const begin = (session: string) =>
      call("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "My card ends in 1234." }] });
    assert.equal((await begin(began)).status, 200);
    const older = await endUser("customer-4712");
    assert.equal((await begin(`${APP}/sessions/customer-4712`)).status, 200);
    const renewed = await call(
      "POST",
      `${began}:generateChatToken`,
      { deployment: NAMED },
      await endUser("customer-4711"),
    );
    for (const [session, headers] of [
      ["customer-4711", await endUser("customer-4711")],
      ["customer-4711", { authorization: `Bearer ${renewed.json.chatToken}` }],
      ["customer-4712", older],
    ] as const) {
      const { status, json } = await ask(session, headers);
      assert.deepEqual([status, json.error?.details[0].reason], [403, "CHAT_TOKEN_SCOPE"], JSON.stringify(json));
    }
  });

  it("goes on with a session that its program handed over, also with the token that renews", async () => {
    const session = `${APP}/sessions/customer-4713`;
    await call("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Hello" }] });
    let authorization = "";
    for (const _ of ["handed over", "renewed"]) {
      const headers: Record<string, string> = authorization === "" ? {} : { authorization };
      const { json } = await call("POST", `${session}:generateChatToken`, { deployment: OPEN }, headers);
      authorization = `Bearer ${json.chatToken}`;
      assert.equal((await ask("customer-4713", { authorization }, OPEN)).status, 200);
    }
  });

  it("talks over WebSocket with its token, and fails at its first message without a valid one", async () => {
    const { json } = await tokenFor("shop-visit", SHOP);
    assert.match(await firstOutput(SHOP, json.chatToken), /"sessionOutput"/);
    assert.match(await firstOutput(RIVAL, json.chatToken), /chat token is not for pages of https:\/\/rival\.example/);
    assert.match(await firstOutput(SHOP, "of-another-system"), /need a chat token/);
    assert.equal(await firstOutput(SHOP), "Unexpected server response: 403");
  });
});

describe("a caller with a chat token", () => {
  it("may call session methods only, over every protocol", async () => {
    const { authorization = "" } = await endUser("shop-visit");
    const headers = { authorization };
    const conversation = await call("GET", `${APP}/conversations/shop-visit`, undefined, headers);
    const list = await call("GET", "projects/-/locations/-/apps", undefined, headers);
    const rpc = await fetch(`${server.address}/google.cloud.ces.v1beta.AgentService/ListApps`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ parent: "projects/-/locations/-" }),
    });
    assert.deepEqual([conversation.status, list.status, rpc.status], [403, 403, 403]);
    assert.equal(list.json.error.details[0].reason, "CHAT_TOKEN_SCOPE");
    const mcp = await fetch(`${server.address}/mcp`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_app", arguments: { name: APP } },
      }),
    });
    const body = await mcp.text();
    assert.match(body, /A chat token grants access to its session only/);
    assert.doesNotMatch(body, /rootAgent/);
  });

  it("gets a new token with the old one, and cannot set the header that marks embedding pages", async () => {
    const headers = { ...(await endUser("shop-visit")), "x-frontdesk-embedded-page": "1" };
    const again = await call("POST", `${APP}/sessions/shop-visit:generateChatToken`, { deployment: NAMED }, headers);
    assert.equal(again.status, 200);
    assert.equal((await call("GET", APP, undefined, { "x-frontdesk-embedded-page": "1" })).status, 200);
  });
});

/** The first message of a conversation over WebSocket, or the reason why it was closed. */
function firstOutput(origin: string, token?: string): Promise<string> {
  const query = token === undefined ? "" : `?access_token=${token}`;
  const address = `${server.address.replace("http", "ws")}/ws/google.cloud.ces.v1beta.SessionService/BidiRunSession/locations/us`;
  const socket = new WebSocket(address + query, { origin });
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.on("open", () => {
    socket.send(JSON.stringify({ config: { session: `${APP}/sessions/shop-visit` } }));
    socket.send(JSON.stringify({ realtimeInput: { text: "Hello" } }));
  });
  socket.on("message", (data) => {
    resolve(String(data));
    socket.close();
  });
  socket.on("close", (_code, reason) => resolve(String(reason)));
  socket.on("error", (error) => resolve(error.message));
  return promise;
}
