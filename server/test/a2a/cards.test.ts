import assert from "node:assert/strict";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { startAuthServer } from "../identity/auth-server.ts";
import { type AgentServer, APP, PARENT, startAgentServer } from "./agent-server.ts";
import { cardUrl, clientOf, messageOf, taskOf } from "./clients.ts";
import { wiresTo } from "./wires.ts";

let guide: AgentServer;
before(async () => {
  guide = await startAgentServer({
    config: { identities: [{ principal: "user:ana@example.com", token: "a".repeat(20), roles: [] }] },
  });
  await guide.send("POST", `${APP}/versions?appVersionId=first`, { displayName: "first" });
  await guide.send("POST", `${APP}/deployments?deploymentId=the-phone`, {
    displayName: "phone",
    appVersion: `${APP}/versions/first`,
    channelProfile: { channelType: "API" },
  });
});
after(() => guide[Symbol.asyncDispose]());

const BEARER = { scheme: "Bearer", description: "A token or a key of this server." };
const NO_AUTH = { mode: "off", issuers: [], scopes: {}, sessionMs: 1, trustedProxies: [] } as const;

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
async function cardOf(tenant: string, headers: Record<string, string> = {}): Promise<any> {
  const response = await fetch(cardUrl(guide.server.address, tenant), { headers });
  return response.json();
}

describe("the card of an app (A2A-2)", () => {
  it("tells what the app tells everybody, and where it is", async () => {
    const { address } = guide.server;
    const { version, supportedInterfaces, capabilities, skills, ...card } = await cardOf(APP, { "a2a-version": "1.0" });
    assert.deepEqual(card, {
      name: "City guide",
      description: "Tells about cities.",
      securitySchemes: { bearer: { httpAuthSecurityScheme: BEARER } },
      defaultInputModes: card.defaultInputModes,
      defaultOutputModes: ["text/plain", "application/json"],
    });
    assert.match(version, /^draft-/);
    const url = `${address}/a2a/${APP}`;
    assert.deepEqual(supportedInterfaces, [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: new URL(address).host, protocolBinding: "GRPC", protocolVersion: "1.0", tenant: APP },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
    assert.deepEqual(
      [capabilities.streaming, capabilities.pushNotifications, capabilities.extendedAgentCard],
      [true, true, true],
    );
    assert.deepEqual(skills, [
      { id: "the-guide", name: "Guide", description: "Knows streets and museums.", tags: ["conversation"] },
    ]);
  });

  it("has every agent as a skill when it is the extended one, and never an instruction", async () => {
    for (const wire of wiresTo(guide.server.address, APP)) {
      const { value } = await wire.call("getExtendedAgentCard", {});
      assert.deepEqual(
        value.skills.map(({ name }: { readonly name: string }) => name),
        ["Guide", "Clerk"],
      );
      assert.doesNotMatch(JSON.stringify(value), /SECRET/);
      wire.close();
    }
  });

  it("is written for the reader's version, or for all (A2A-3)", async () => {
    const old = await cardOf(APP, { "a2a-version": "0.3" });
    assert.deepEqual(
      [old.protocolVersion, old.preferredTransport, old.supportedInterfaces],
      ["0.3", "JSONRPC", undefined],
    );
    assert.equal(old.url, `${guide.server.address}/a2a/${APP}`);
    const both = await cardOf(APP);
    assert.equal(both.url, old.url);
    assert.equal(both.supportedInterfaces.length, 4);
    assert.deepEqual(both.securitySchemes.bearer, {
      type: "http",
      scheme: "Bearer",
      description: BEARER.description,
      httpAuthSecurityScheme: BEARER,
    });
  });

  it("may be kept, and is asked for again by its tag", async () => {
    const url = cardUrl(guide.server.address, APP);
    const { headers } = await fetch(url);
    assert.match(headers.get("cache-control") ?? "", /max-age=\d+/);
    const again = await fetch(url, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
  });

  it("says how callers identify themselves where they must, and is public there", async () => {
    const issuers = [
      { name: "okta", issuer: "https://login.example.com/", kind: "user", project: "p", audiences: [] },
    ] as const;
    await using other = await startAuthServer({ auth: { issuers: issuers as never }, example: true });
    const card = (await (
      await fetch(cardUrl(other.address, ""), { headers: { "a2a-version": "1.0" } })
    ).json()) as JsonObject;
    assert.deepEqual(card.securitySchemes, {
      bearer: { httpAuthSecurityScheme: BEARER },
      apiKey: { apiKeySecurityScheme: { location: "header", name: "x-goog-api-key" } },
      okta: {
        openIdConnectSecurityScheme: {
          openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration",
        },
      },
    });
    const alone = (name: string) => ({ schemes: { [name]: {} } });
    assert.deepEqual(card.securityRequirements, [alone("bearer"), alone("apiKey"), alone("okta")]);
    const codes = { "JSON-RPC": -32000, "HTTP+JSON": 401, gRPC: 16 };
    for (const wire of wiresTo(other.address, "")) {
      assert.equal((await wire.call("getExtendedAgentCard", {})).fault?.code, codes[wire.name], wire.name);
      assert.equal((await wire.call("getExtendedAgentCard", {}, other.operator)).value.name, "Order desk");
      wire.close();
    }
  });

  it("does not repeat a host that is none", async () => {
    const { port } = new URL(guide.server.address);
    for (const host of ["localhost/path?", "user@localhost", "a b", ":::"]) {
      const answer = await new Promise((resolve, reject) => {
        const asked = request({ port, path: "/.well-known/agent-card.json", headers: { host } }, (response) =>
          resolve(json(response)),
        );
        asked.on("error", reject).end();
      });
      const { url, error } = answer as { readonly url?: string; readonly error?: { readonly status: string } };
      // One that cannot be read is refused as a foreign one is (AUTH-31).
      if (URL.canParse(`http://${host}`)) assert.match(url ?? "", /^http:\/\/127\.0\.0\.1:/, host);
      else assert.equal(error?.status, "PERMISSION_DENIED", host);
    }
  });
});

describe("where agents are (A2A-1)", () => {
  it("an app, its versions and its deployments have an address each", async () => {
    for (const tenant of [APP, `${APP}/versions/first`, `${APP}/deployments/the-phone`]) {
      const client = await clientOf(guide.server.address, tenant, "JSONRPC");
      const { contextId, id } = await taskOf(client, messageOf("say Hello."));
      const conversation = await guide.send("GET", `${APP}/conversations/${contextId}`);
      const [version, deployment] = [conversation.appVersion ?? "", conversation.deployment ?? ""];
      assert.deepEqual([version, deployment], tenant === APP ? ["", ""] : PLACES[tenant.split("/").at(-2) ?? ""]);
      for (const other of [APP, `${APP}/versions/first`]) {
        if (other === tenant) continue;
        const found = (await clientOf(guide.server.address, other, "JSONRPC")).getTask({
          tenant: "",
          id,
          historyLength: undefined,
        });
        await assert.rejects(found, /not found/);
      }
    }
  });

  const PLACES: Readonly<Record<string, readonly string[]>> = {
    versions: [`${APP}/versions/first`, ""],
    deployments: [`${APP}/versions/first`, `${APP}/deployments/the-phone`],
  };

  it("the only app is the agent of the server, until there is another one", async () => {
    assert.equal((await cardOf("")).name, "City guide");
    const [wire] = wiresTo(guide.server.address, "");
    const { value } = (await wire?.call("listTasks", {})) ?? {};
    assert.ok(value.tasks);
    await guide.send("POST", `${PARENT}/apps?appId=another`, { displayName: "Another" });
    const { error } = await cardOf("");
    assert.equal(error.code, 404);
    assert.match(error.message, /default agent/);
    await guide.send("DELETE", `${PARENT}/apps/another`);
  });

  it("is found where clients look that were given the agent's address, or the card's (A2A-26)", async () => {
    const agent = `${guide.server.address}/a2a/${APP}`;
    const card = `${agent}/.well-known/agent-card.json`;
    // As SDKs do that resolve their path against the address; older ones look for another file.
    const looked = [`${agent}/`, card, `${card}/`].flatMap((given) =>
      [".well-known/agent-card.json", ".well-known/agent.json"].map((path) => new URL(path, given).href),
    );
    for (const url of [`${card}/`, ...looked]) {
      const found = (await (await fetch(url)).json()) as { readonly name?: string };
      assert.equal(found.name, "City guide", url);
    }
    const nameless = await fetch(new URL(".well-known/agent-card.json", agent));
    assert.equal(nameless.status, 404);
    assert.match(((await nameless.json()) as { error: { message: string } }).error.message, /with a slash at its end/);
  });

  it("what there is not is not found, and what is no name is refused", async () => {
    for (const tenant of [`${PARENT}/apps/gone`, `${APP}/versions/gone`, `${APP}/deployments/gone`])
      assert.equal((await cardOf(tenant)).error.code, 404, tenant);
    const [wire] = wiresTo(guide.server.address, "");
    const answer = await wire?.call("listTasks", { tenant: "the guide" });
    assert.match(answer?.fault?.message ?? "", /projects\/\{project\}/);
  });

  it("the operator may name the agent of the server, and its address outside", async () => {
    const config = { a2a: { agent: APP }, auth: { ...NO_AUTH, origin: "https://agents.example.com" } };
    await using other = await startAgentServer({ config });
    const response = await fetch(cardUrl(other.server.address, ""));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    const { supportedInterfaces } = (await response.json()) as any;
    assert.deepEqual(
      supportedInterfaces.map(({ url }: { readonly url: string }) => url),
      [
        ...Array(2).fill(`https://agents.example.com/a2a/${APP}`),
        "agents.example.com:443",
        `https://agents.example.com/a2a/${APP}`,
      ],
    );
  });
});
