import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { EndUserAuthConfigSchema, ApiKeyConfig_RequestLocation as Location } from "@frontdesk/protos/ces/auth";
import type { JsonObject } from "#base";
import { type GoogleIdentity, GoogleIdentityError } from "#google";
import type { OutboundRoute } from "#outbound";
import { startEchoServer } from "./echo-server.ts";
import { type Auth, answer, toolAt } from "./outbound-tool.ts";
import { APP, documentOf, openApiTool, openToolBench } from "./tool-bench.ts";

const SECRET = "projects/shop/secrets/key/versions/1";
const GOOGLE: GoogleIdentity = {
  accessToken: async (scopes = []) => `access ${scopes.join(" ")}`,
  idToken: async (audience) => `id for ${audience}`,
  impersonated: async (account, scopes = ["all of Google Cloud"]) => `${account} ${scopes.join(" ")}`,
  project: async () => "",
};

describe("a tool's credentials", () => {
  const arrived = async (authConfig: Auth, variables: JsonObject = {}, secret = "s3cret") => {
    await using server = await startEchoServer();
    await using bench = openToolBench({ secrets: { [SECRET]: secret }, google: GOOGLE });
    const response = await answer(bench, toolAt(server.url, authConfig), variables);
    return { response, request: server.requests[0], url: server.url };
  };
  const key = (keyName: string, requestLocation = Location.HEADER): Auth => ({
    case: "apiKeyConfig",
    value: { keyName, apiKeySecretVersion: SECRET, requestLocation },
  });

  it("are an API key in header, query or cookie", async () => {
    assert.equal((await arrived(key("X-Api-Key"))).request?.headers["x-api-key"], "s3cret");
    assert.equal((await arrived(key("key", Location.QUERY_STRING), {}, "a&b")).request?.url, "/x?key=a%26b");
    assert.equal((await arrived(key("Cookie: sid"))).request?.headers.cookie, "sid=s3cret");
    await using server = await startEchoServer();
    await using bench = openToolBench({ secrets: { [SECRET]: "s3cret" } });
    const components = { securitySchemes: { session: { type: "apiKey", in: "cookie", name: "sid" } } };
    const document = documentOf(server.url, { "/x": { get: { operationId: "x", responses: {} } } }, { components });
    await bench.run(openApiTool(document, { apiAuthentication: { authConfig: key("sid") } }), {});
    assert.deepEqual([server.last().headers.cookie, server.last().headers.sid], ["sid=s3cret", undefined]);
  });

  it("are a token of the session, or of this server's identity at Google", async () => {
    const bearer: Auth = { case: "bearerTokenConfig", value: { token: "$context.variables.token" } };
    assert.equal((await arrived(bearer, { token: "t0" })).request?.headers.authorization, "Bearer t0");
    const missing = await arrived(bearer);
    assert.deepEqual(
      [missing.request, missing.response.error],
      [
        undefined,
        "Calling 'one' failed: The bearer token is the variable 'token', which has no value in this session.",
      ],
    );
    const { request, url } = await arrived({ case: "serviceAgentIdTokenAuthConfig", value: {} });
    assert.equal(request?.headers.authorization, `Bearer id for ${url}`);
    const account = await arrived({ case: "serviceAccountAuthConfig", value: { serviceAccount: "a@b", scopes: [] } });
    assert.equal(account.request?.headers.authorization, "Bearer a@b all of Google Cloud");
  });

  it("name an unknown secret, and are never quoted", async () => {
    await using server = await startEchoServer((_request, response, { headers }) =>
      response.writeHead(403, { "content-type": "text/plain" }).end(`key ${headers["x-api-key"]} is not valid`),
    );
    await using bench = openToolBench({ secrets: { [SECRET]: "s3cret-of-the-shop" } });
    assert.deepEqual(await answer(bench, toolAt(server.url, key("X-Api-Key"))), {
      status: "error",
      error: "GET /x answered 403 Forbidden: key [credential] is not valid",
    });
    await using without = openToolBench();
    assert.match(
      String((await answer(without, toolAt(server.url, key("k")))).error),
      /Secret 'projects\/shop\/secrets\/key\/versions\/1' is not known/,
    );
  });

  it("are read from files for each call", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-secrets-"));
    after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "key"), "first\n");
    const secrets = { environment: {}, variable: () => undefined, files: {}, folder, secretManager: false };
    await using server = await startEchoServer();
    await using bench = openToolBench({ config: { secrets } });
    await answer(bench, toolAt(server.url, key("k")));
    writeFileSync(join(folder, "key"), "second");
    await answer(bench, toolAt(server.url, key("k")));
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.k),
      ["first", "second"],
    );
  });
});

describe("hosts that the operator names for work without a Google token (TOOL-40)", () => {
  const noToken = () => Promise.reject(new GoogleIdentityError("This server's Google identity gives no token."));
  const google: GoogleIdentity = { ...GOOGLE, idToken: noToken, impersonated: noToken };
  const kinds: readonly [kind: string, authConfig: Auth, token: string][] = [
    ["an ID token", { case: "serviceAgentIdTokenAuthConfig", value: {} }, "ID token"],
    ["a service account", { case: "serviceAccountAuthConfig", value: { serviceAccount: "a@b" } }, "access token"],
  ];
  for (const [kind, authConfig, token] of kinds) {
    it(`get requests that want ${kind} without one, and the span says so`, async () => {
      await using server = await startEchoServer();
      const { host } = new URL(server.url);
      // Without a token there is nothing to grant.
      const config = { withoutGoogleToken: ["elsewhere", host], grants: [] };
      await using bench = openToolBench({ google, config });
      const { kind: outcome, output } = await bench.run(toolAt(server.url, authConfig), {});
      assert.deepEqual([outcome, server.requests[0]?.headers.authorization], ["answered", undefined]);
      assert.deepEqual(
        output.map(({ text }) => text),
        [`The request to ${host} went out without a Google ${token}, as outbound.withoutGoogleToken says.`],
      );
    });

    it(`are the only ones: elsewhere ${kind} is needed, and the error names the setting`, async () => {
      await using server = await startEchoServer();
      await using bench = openToolBench({ google, config: { withoutGoogleToken: ["localhost:1"] } });
      const { error } = await answer(bench, toolAt(server.url, authConfig));
      assert.match(String(error), /gives no token\. .*'outbound\.withoutGoogleToken'.*FRONTDESK_WITHOUT_GOOGLE_TOKEN/);
      assert.equal(server.requests.length, 0);
    });
  }

  it("still get every other credential", async () => {
    await using server = await startEchoServer();
    const config = { withoutGoogleToken: ["*"] };
    await using bench = openToolBench({ secrets: { [SECRET]: "s3cret" }, google, config });
    const value = { keyName: "X-Api-Key", apiKeySecretVersion: SECRET, requestLocation: Location.HEADER };
    const { output } = await bench.run(toolAt(server.url, { case: "apiKeyConfig", value }), {});
    assert.deepEqual([server.requests[0]?.headers["x-api-key"], output], ["s3cret", []]);
  });
});

describe("OAuth client credentials", () => {
  /** A token endpoint and an API in one: tokens are numbered, and the API takes those from `firstGood` on. */
  async function play(options: { readonly expiresIn?: number; readonly firstGood?: number; readonly basic?: boolean }) {
    let issued = 0;
    const server = await startEchoServer((request, response, { url, body }) => {
      response.setHeader("content-type", "application/json");
      if (url === "/token") {
        if (options.basic === false && request.headers.authorization)
          return response.writeHead(401).end('{"error":"invalid_client"}');
        assert.equal(new URLSearchParams(body).get("grant_type"), "client_credentials");
        return response.end(JSON.stringify({ access_token: `t${++issued}`, expires_in: options.expiresIn ?? 3_600 }));
      }
      const number = Number(/^Bearer t(\d+)$/.exec(request.headers.authorization ?? "")?.[1]);
      return response.writeHead(number >= (options.firstGood ?? 1) ? 200 : 401).end("{}");
    });
    const tool = toolAt(server.url, {
      case: "oauthConfig",
      value: {
        clientId: "desk",
        clientSecretVersion: SECRET,
        tokenEndpoint: `${server.url}/token`,
        scopes: ["a", "b"],
      },
    });
    return { server, tool, issued: () => issued };
  }
  const secrets = { [SECRET]: "s3cret" };

  it("fetch one token for concurrent calls, and cache it until it expires", async () => {
    let now = Date.now();
    await using bench = openToolBench({ secrets, now: () => now });
    const { server, tool, issued } = await play({});
    await using _ = server;
    await Promise.all([answer(bench, tool), answer(bench, tool), answer(bench, tool)]);
    assert.equal(issued(), 1);
    const [token] = server.requests;
    assert.deepEqual(
      [token?.headers.authorization, token?.body],
      [`Basic ${Buffer.from("desk:s3cret").toString("base64")}`, "grant_type=client_credentials&scope=a+b"],
    );
    now += 3_580_000;
    await answer(bench, tool);
    assert.equal(issued(), 2);
  });

  it("renew a rejected token once", async () => {
    await using bench = openToolBench({ secrets });
    const renewed = await play({ firstGood: 2 });
    await using _ = renewed.server;
    assert.deepEqual([await answer(bench, renewed.tool), renewed.issued()], [{}, 2]);
    const never = await play({ firstGood: 99 });
    await using __ = never.server;
    assert.deepEqual(
      [(await answer(bench, never.tool)).error, never.issued()],
      ["GET /x answered 401 Unauthorized: {}", 2],
    );
  });

  it("are sent in the form when the header is rejected", async () => {
    await using bench = openToolBench({ secrets });
    const { server, tool } = await play({ basic: false });
    await using _ = server;
    assert.deepEqual(await answer(bench, tool), {});
    assert.equal(
      server.requests[1]?.body,
      "grant_type=client_credentials&scope=a+b&client_id=desk&client_secret=s3cret",
    );
  });
});

describe("an end user's JWT bearer", () => {
  it("is exchanged for a token with an assertion signed with the user's key", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    await using server = await startEchoServer((_request, response) =>
      response.setHeader("content-type", "application/json").end('{"access_token":"t1"}'),
    );
    await using bench = openToolBench();
    const endUserAuth = create(EndUserAuthConfigSchema, {
      authConfig: {
        case: "oauth2JwtBearerConfig",
        value: {
          issuer: "$context.variables.iss",
          subject: "$context.variables.sub",
          clientKey: "$context.variables.key",
        },
      },
    });
    const variables = { iss: "desk", sub: "ana", key: String(privateKey.export({ type: "pkcs8", format: "pem" })) };
    const route: OutboundRoute = { endUserAuth, tokenEndpoint: `${server.url}/token` };
    const context = { app: APP, variables, signal: new AbortController().signal };
    const { headers } = await bench.outbound.authorize({ url: "https://api.example/x", headers: {} }, route, context);
    assert.equal(headers.authorization, "Bearer t1");
    const [head = "", claims = "", signature = ""] = (
      new URLSearchParams(server.last().body).get("assertion") ?? ""
    ).split(".");
    assert.ok(verify("sha256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url")));
    const { iss, sub, aud } = JSON.parse(Buffer.from(claims, "base64url").toString());
    assert.deepEqual({ iss, sub, aud }, { iss: "desk", sub: "ana", aud: `${server.url}/token` });
  });
});
