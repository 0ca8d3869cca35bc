import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { strToU8, zipSync } from "fflate";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { finished, restOf } from "../rest.ts";
import { OWN_CA, OWN_CERTIFICATE, OWN_KEY, type ShutInServer, startShutInServer } from "./shut-in-server.ts";
import { documentOf } from "./tool-bench.ts";

const PARENT = "projects/shop/locations/us";
const APP = `${PARENT}/apps/the-desk`;
const SECRETS = "projects/shop/secrets";
const SERVICE = "projects/shop/locations/us/namespaces/inside/services/stock";
const CLIENT_SECRET = "s3cret-of-the-desk";

const model = new ScriptedModel();
let api: ShutInServer;
let server: TestServer;
const rest = restOf(() => server);

before(async () => {
  api = await startShutInServer(({ url, headers }, response) => {
    if (url === "/token") return { access_token: "token-of-the-desk", expires_in: 3_600 };
    if (headers.authorization === "Bearer token-of-the-desk" || headers["x-key"]) return { at: headers.host, url };
    return response.writeHead(401).end("who are you?") && undefined;
  });
  const values: Readonly<Record<string, string>> = { oauth: CLIENT_SECRET, tls: OWN_KEY, key: "k3y-of-the-desk" };
  server = await startTestServer({
    model,
    config: {
      egressAllow: ["localhost"],
      outbound: {
        secrets: {
          environment: { oauth: "oauth", tls: "tls", key: "key" },
          variable: (name) => values[name],
          files: {},
          secretManager: false,
        },
        grants: [
          { credentials: ["oauth"], apps: ["the-desk", APP], hosts: ["localhost"] },
          { credentials: [`${SECRETS}/tls`], apps: [`${PARENT}/apps/*`], hosts: ["*"] },
          { credentials: ["key"], apps: ["*"], hosts: ["localhost:443"] },
        ],
        serviceDirectory: { [SERVICE]: `127.0.0.1:${api.port}` },
        perimeter: false,
        withoutGoogleToken: [],
      },
    },
  });
  await importApp("the-desk", APP_FILES());
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

const TLS = { caCerts: [{ displayName: "own", cert: OWN_CA }] };
const documentAt = (url: string, operationId: string) =>
  documentOf(url, { "/items": { get: { operationId, responses: {} } } });
const oauthAt = (tokenEndpoint: string) => ({
  oauthConfig: {
    oauthGrantType: "CLIENT_CREDENTIAL",
    clientId: "desk",
    clientSecretVersion: `${SECRETS}/oauth/versions/1`,
    tokenEndpoint,
  },
});
const keyed = {
  apiKeyConfig: { keyName: "X-Key", apiKeySecretVersion: `${SECRETS}/key/versions/1`, requestLocation: "HEADER" },
};

/** An exported app: a tool with OAuth behind a private authority, and a toolset with Service Directory; both with a client certificate. */
const APP_FILES = () => {
  const origin = `https://localhost:${api.port}`;
  return {
    "app.json": {
      displayName: "Desk",
      rootAgent: "Root",
      clientCertificateSettings: { tlsCertificate: OWN_CERTIFICATE, privateKey: `${SECRETS}/tls/versions/1` },
    },
    "agents/Root/Root.json": {
      displayName: "Root",
      tools: ["stock"],
      toolsets: [{ toolset: "inside" }],
    },
    "tools/stock/stock.json": {
      displayName: "stock",
      openApiTool: {
        name: "stock",
        openApiSchema: "tools/stock/schema.json",
        apiAuthentication: oauthAt(`${origin}/token`),
        tlsConfig: TLS,
      },
    },
    "tools/stock/schema.json": documentAt(origin, "stock"),
    "toolsets/inside/schema.json": documentAt("https://localhost", "items"),
    "toolsets/inside/inside.json": {
      displayName: "inside",
      openApiToolset: {
        openApiSchema: "toolsets/inside/schema.json",
        serviceDirectoryConfig: { service: SERVICE },
        apiAuthentication: keyed,
        tlsConfig: TLS,
      },
    },
  };
};

async function importApp(appId: string, files: Readonly<Record<string, object>>): Promise<void> {
  const entries = Object.entries(files).map(
    ([name, value]) => [`desk/${name}`, strToU8(JSON.stringify(value))] as const,
  );
  const appContent = Buffer.from(zipSync(Object.fromEntries(entries))).toString("base64");
  const { name } = await rest("POST", `${PARENT}/apps:importApp`, { appId, displayName: appId, appContent });
  const operation = await finished(rest, await rest("GET", name));
  assert.deepEqual([operation.error, operation.response?.warnings ?? []], [undefined, []]);
}

/** What a tool answers by ExecuteTool. */
async function executed(tool: object, app = APP) {
  return (await rest("POST", `${app}:executeTool`, { args: {}, ...tool })).response;
}

/** The same in a turn, as the record has it. */
async function inTurn(session: string, name: string) {
  model.extend(call(name, {}), say("Done."));
  await rest("POST", `${APP}/sessions/${session}:runSession`, { inputs: [{ text: "Please." }] });
  const { turns } = await rest("GET", `${APP}/conversations/${session}`);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  const chunks = turns[0].messages.flatMap((message: any) => message.chunks);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return chunks.find((chunk: any) => chunk.toolResponse).toolResponse.response;
}

const toolNamed = async (displayName: string, app = APP) => {
  const { tools } = await rest("GET", `${app}/tools`);
  return tools.find((tool: { displayName: string }) => tool.displayName === displayName).name as string;
};

describe("a tool behind OAuth, a private CA and client certificates", () => {
  it("returns the same in a turn and by ExecuteTool, with one token for both", async () => {
    const response = await executed({ tool: await toolNamed("stock") });
    assert.deepEqual(response, { at: `localhost:${api.port}`, url: "/items" });
    assert.deepEqual(await inTurn("oauth-1", "stock"), response);
    const [token, ...others] = api.requests.filter(({ url }) => url === "/token");
    assert.deepEqual([token?.headers.authorization, others], [`Basic ${btoa(`desk:${CLIENT_SECRET}`)}`, []]);
    assert.ok(
      api.requests.every(({ known }) => known),
      "each request showed the app's certificate",
    );
  });

  it("has no secret in its transcript", async () => {
    const record = JSON.stringify(await rest("GET", `${APP}/conversations/oauth-1`));
    for (const secret of [CLIENT_SECRET, "token-of-the-desk", "PRIVATE KEY"]) assert.ok(!record.includes(secret));
  });
});

describe("a toolset with Service Directory", () => {
  it("is reached at the operator's address, under the name of its URL, in a turn and by ExecuteTool", async () => {
    const { toolsets } = await rest("GET", `${APP}/toolsets`);
    const response = await executed({ toolsetTool: { toolset: toolsets[0].name, toolId: "items" } });
    assert.deepEqual(response, { at: "localhost", url: "/items" });
    assert.deepEqual(await inTurn("directory-1", "inside_items"), response);
    assert.equal(api.requests.at(-1)?.headers["x-key"], "k3y-of-the-desk");
  });
});

describe("credentials that the operator granted to an app for a host", () => {
  const refused = (credential: string, app: string, hosts: string) => ({
    status: "error",
    error: `Calling 'taker' failed: '${SECRETS}/${credential}/versions/1' is not granted to the app '${app}' for ${hosts}. The operator can grant it under 'outbound.grants' of the config file.`,
  });
  const takerOf = (app: string, url: string, apiAuthentication: object) =>
    rest("POST", `${app}/tools?toolId=t-${Math.random().toString(36).slice(2)}`, {
      openApiTool: { name: "taker", openApiSchema: JSON.stringify(documentAt(url, "taker")), apiAuthentication },
    });
  const taken = async (app: string, url: string, authentication: object) => {
    const { name } = await takerOf(app, url, authentication);
    const before = api.requests.length;
    const response = await executed({ tool: name }, app);
    await rest("DELETE", name);
    assert.equal(api.requests.length, before, "nothing was sent");
    return response;
  };

  it("are refused to another app, to another host, and to tokens for another host", async () => {
    const origin = `https://localhost:${api.port}`;
    const other = `${PARENT}/apps/the-other`;
    await rest("POST", `${PARENT}/apps?appId=the-other`, { displayName: "Other" });
    assert.deepEqual(
      await taken(other, origin, oauthAt(`${origin}/token`)),
      refused("oauth", other, `localhost:${api.port} and localhost:${api.port}`),
    );
    assert.deepEqual(
      await taken(APP, "https://thief.example", oauthAt(`${origin}/token`)),
      refused("oauth", APP, `thief.example and localhost:${api.port}`),
    );
    assert.deepEqual(await taken(other, origin, keyed), refused("key", other, `localhost:${api.port}`));
  });

  it("are refused to an app of the same id in another project, and of the same name in other letters (TOOL-43)", async () => {
    const origin = `https://localhost:${api.port}`;
    for (const [location, appId] of [
      ["projects/others/locations/us", "the-desk"],
      [PARENT, "The-Desk"],
    ] as const) {
      await rest("POST", `${location}/apps?appId=${appId}`, { displayName: appId });
      const app = `${location}/apps/${appId}`;
      const hosts = `localhost:${api.port} and localhost:${api.port}`;
      assert.deepEqual(await taken(app, origin, oauthAt(`${origin}/token`)), refused("oauth", app, hosts));
    }
  });
});
