import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type AuthServer, bearer, LOCATION, startAuthServer } from "./auth-server.ts";
import { type OidcIssuer, startOidcIssuer } from "./oidc-issuer.ts";
import { sign } from "./sign.ts";

const READ = "desk.read";
const ALL = "desk";

let oidc: OidcIssuer;
let server: AuthServer;
before(async () => {
  oidc = await startOidcIssuer({
    clients: [
      {
        client_id: "mcp",
        client_secret: "secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: `${READ} ${ALL}`,
  });
  server = await startAuthServer({
    auth: {
      issuers: [{ name: "login", issuer: oidc.issuer, audiences: ["console"], kind: "workload", project: "local" }],
      scopes: { [READ]: "read", [ALL]: "all" },
    },
    config: { mcp: { dryRun: false, oauth: { issuers: [oidc.issuer], scopes: [READ, ALL] } } },
  });
});
after(() => Promise.all([server[Symbol.asyncDispose](), oidc[Symbol.asyncDispose]()]));

/** An access token of the issuer, without the SDK. */
async function tokenFor(resource: string, scope: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: "client_credentials", resource, scope });
  const headers = { authorization: `Basic ${btoa("mcp:secret")}` };
  const response = await fetch(`${oidc.issuer}/token`, { method: "POST", headers, body });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

/** One message to an endpoint. */
function send(
  method: string,
  params: object,
  credential: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return server.call(path, credential, { method: "POST", headers, body });
}

const listApps = { name: "list_apps", arguments: { parent: LOCATION } };
const createApp = { name: "create_app", arguments: { parent: LOCATION, appId: "made", app: { displayName: "Made" } } };

describe("an MCP client of the SDK", () => {
  it("finds the issuer by the server's metadata, gets a token for the endpoint, and calls tools", async () => {
    const options = { clientId: "mcp", clientSecret: "secret", scope: ALL, expectedIssuer: oidc.issuer };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`), {
      authProvider: new ClientCredentialsProvider(options),
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport as never);
    const { isError, structuredContent } = await client.callTool(listApps);
    assert.deepEqual([isError ?? false, structuredContent], [false, {}]);
    await client.close();
  });
});

describe("an MCP endpoint (AUTH-15)", () => {
  const metadata = () => `${server.address}/.well-known/oauth-protected-resource/mcp`;

  it("describes itself, each endpoint for itself (RFC 9728)", async () => {
    for (const path of ["/mcp", "/mcp/analytics"]) {
      const response = await server.call(`/.well-known/oauth-protected-resource${path}`);
      assert.deepEqual(await response.json(), {
        resource: `${server.address}${path}`,
        authorization_servers: [oidc.issuer],
        bearer_methods_supported: ["header"],
        scopes_supported: [READ, ALL],
      });
    }
    assert.equal((await server.call("/.well-known/oauth-protected-resource/other")).status, 404);
  });

  it("tells a caller without a token where to get one, and for which scopes", async () => {
    const response = await send("tools/call", listApps);
    assert.deepEqual(
      [response.status, response.headers.get("www-authenticate")],
      [401, `Bearer realm="frontdesk", resource_metadata="${metadata()}", scope="${READ} ${ALL}"`],
    );
    assert.equal((await send("tools/list", {})).status, 401);
  });

  it("refuses a token whose scope does not reach the tool with 403, and names the scope to ask for", async () => {
    const token = bearer(await tokenFor(`${server.address}/mcp`, READ));
    assert.equal((await send("tools/call", listApps, token)).status, 200);
    const response = await send("tools/call", createApp, token);
    assert.deepEqual(
      [response.status, response.headers.get("www-authenticate")],
      [403, `Bearer realm="frontdesk", error="insufficient_scope", scope="${ALL}", resource_metadata="${metadata()}"`],
    );
    const stepped = await send("tools/call", createApp, bearer(await tokenFor(`${server.address}/mcp`, ALL)));
    assert.equal(stepped.status, 200);
  });

  const refused: Readonly<Record<string, readonly [resource: () => string, words: RegExp]>> = {
    "the other endpoint": [() => `${server.address}/mcp/analytics`, /Request one whose audience is '.*\/mcp'/],
    "another server": [
      () => "https://other.example/mcp",
      /is for 'https:\/\/other.example\/mcp', which is not this server/,
    ],
  };
  for (const [name, [resource, words]] of Object.entries(refused)) {
    it(`refuses a token that was made for ${name}`, async () => {
      const response = await send("tools/list", {}, bearer(await tokenFor(resource(), ALL)));
      const { error } = (await response.json()) as { readonly error: { readonly message: string } };
      assert.equal(response.status, 401);
      assert.match(error.message, words);
      assert.match(response.headers.get("www-authenticate") ?? "", /error="invalid_token".*resource_metadata=/);
    });
  }

  it("takes keys of this server, which can be meant for nothing else", async () => {
    const key = await server.createKey("ci");
    const apiKey = await server.createApiKey();
    for (const credential of [bearer(await sign(key)), bearer(apiKey.text), { "x-goog-api-key": apiKey.text }])
      assert.equal((await send("tools/call", listApps, credential)).status, 200);
  });

  it("is no way around: a token for it reaches no more over REST than its scope", async () => {
    const token = bearer(await tokenFor(`${server.address}/mcp`, READ));
    const apps = `/v1beta/${LOCATION}/apps`;
    assert.equal((await server.call(apps, token)).status, 200);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const response = await server.call(apps, token, init);
    assert.deepEqual(
      [response.status, response.headers.get("www-authenticate")],
      [403, `Bearer realm="frontdesk", error="insufficient_scope", scope="${ALL}"`],
    );
  });

  it("takes no token from the address", async () => {
    const { text } = await server.createApiKey();
    assert.equal((await send("tools/call", listApps, {}, `/mcp?key=${text}`)).status, 401);
  });
});
