import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ApiAuthenticationSchema,
  EndUserAuthConfigSchema,
  ApiKeyConfig_RequestLocation as Location,
} from "@frontdesk/protos/ces/auth";
import { TlsConfigSchema } from "@frontdesk/protos/ces/common";
import {
  EndpointControlPolicy_EnforcementScope as Scope,
  SecuritySettingsSchema,
} from "@frontdesk/protos/ces/security_settings";
import type { JsonObject } from "#base";
import { type GoogleIdentity, GoogleIdentityError } from "#google";
import type { OutboundRoute } from "#outbound";
import { startEchoServer } from "./echo-server.ts";
import {
  APP,
  contextOf,
  documentOf,
  openApiTool,
  openToolBench,
  type ToolBench,
  type ToolBenchOptions,
} from "./tool-bench.ts";

type Auth = MessageInitShape<typeof ApiAuthenticationSchema>["authConfig"];

const SECRET = "projects/shop/secrets/key/versions/1";
const GOOGLE: GoogleIdentity = {
  accessToken: async (scopes = []) => `access ${scopes.join(" ")}`,
  idToken: async (audience) => `id for ${audience}`,
  impersonated: async (account, scopes = ["all of Google Cloud"]) => `${account} ${scopes.join(" ")}`,
  project: async () => "",
};

const toolAt = (url: string, authConfig?: Auth, more: object = {}) =>
  openApiTool(documentOf(url, { "/x": { get: { operationId: "x", responses: {} } } }), {
    ...(authConfig && { apiAuthentication: { authConfig } }),
    ...more,
  });

/** What a tool without arguments answers. */
async function answer(
  bench: ToolBench,
  tool: ReturnType<typeof toolAt>,
  variables: JsonObject = {},
  more: object = {},
) {
  return (await bench.run(tool, {}, contextOf(more, variables))).response;
}

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

describe("where a tool may reach", () => {
  const errorWith = async (options: ToolBenchOptions, url: string, settings?: object) => {
    await using bench = openToolBench(options);
    return (await answer(bench, toolAt(url), {}, settings && { settings })).error;
  };
  const policy = (enforcementScope: Scope, allowedOrigins: string[]) => async () =>
    create(SecuritySettingsSchema, {
      name: "projects/shop/locations/us/securitySettings",
      endpointControlPolicy: { enforcementScope, allowedOrigins },
    });

  it("is public addresses, also after a redirect", async () => {
    assert.match(String(await errorWith({ allow: [] }, "http://127.0.0.1:9")), /127\.0\.0\.1 is a loopback address/);
    for (const location of ["http://169.254.169.254/latest", "http://10.0.0.1/"]) {
      await using server = await startEchoServer((_request, response) => response.writeHead(302, { location }).end());
      assert.match(String(await errorWith({}, server.url)), /'(169\.254\.169\.254|10\.0\.0\.1)' are refused/);
    }
  });

  it("is limited by the location's policy, always or in a perimeter", async () => {
    await using server = await startEchoServer();
    const refused = `Calling 'one' failed: Requests to '${server.url}' are refused: the endpoint control policy of projects/shop/locations/us/securitySettings does not list it.`;
    const other = ["https://shop.example"];
    assert.equal(await errorWith({ securitySettings: policy(Scope.ALWAYS, other) }, server.url), refused);
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.ALWAYS, ["http://127.0.0.1"]) }, server.url),
      undefined,
    );
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.ALWAYS, [`http://127.0.0.1:1`]) }, server.url),
      refused,
    );
    assert.equal(await errorWith({ securitySettings: policy(Scope.VPCSC_ONLY, other) }, server.url), undefined);
    assert.equal(
      await errorWith({ securitySettings: policy(Scope.VPCSC_ONLY, other), config: { perimeter: true } }, server.url),
      refused,
    );
  });

  it("is limited by the app's own list in a perimeter", async () => {
    await using server = await startEchoServer();
    const settings = { vpcScSettings: { allowedOrigins: ["https://shop.example"] } };
    assert.equal(await errorWith({}, server.url, settings), undefined);
    assert.match(
      String(await errorWith({ config: { perimeter: true } }, server.url, settings)),
      /vpc_sc_settings of the app does not list it/,
    );
    const own = { vpcScSettings: { allowedOrigins: [server.url] } };
    assert.equal(await errorWith({ config: { perimeter: true } }, server.url, own), undefined);
  });

  it("is the operator's address of a Service Directory service", async () => {
    await using server = await startEchoServer();
    const service = "projects/p/locations/us/namespaces/n/services/s";
    const route = { serviceDirectoryConfig: { service } };
    await using bench = openToolBench({
      allow: [],
      config: { serviceDirectory: { [service]: `127.0.0.1:${server.port}` } },
    });
    assert.deepEqual(await answer(bench, toolAt("http://inside.example", undefined, route)), { ok: true });
    assert.equal(server.last().headers.host, "inside.example");
    await using without = openToolBench();
    assert.match(
      String((await answer(without, toolAt("http://inside.example", undefined, route))).error),
      /services\/s' is not known to this server/,
    );
  });
});

describe("requests of an app's own code", () => {
  it("are limited by the location's policy, too", async () => {
    const settings = { name: "projects/shop/locations/us/securitySettings" };
    const policy = { enforcementScope: Scope.ALWAYS, allowedOrigins: ["https://shop.example"] };
    const securitySettings = async () => create(SecuritySettingsSchema, { ...settings, endpointControlPolicy: policy });
    await using bench = openToolBench({ securitySettings });
    const ask = bench.tools.hostCalls(contextOf(), () => {});
    const request = { op: "http", method: "GET", url: "http://127.0.0.1:9/", headers: {} } as const;
    await assert.rejects(
      async () => ask(request, new AbortController().signal),
      /endpoint control policy of projects\/shop/,
    );
  });
});

describe("a protocol library", () => {
  const route: OutboundRoute = {
    apiAuthentication: create(ApiAuthenticationSchema, {
      authConfig: { case: "bearerTokenConfig", value: { token: "$context.variables.token" } },
    }),
  };
  const context = () => ({ app: APP, variables: { token: "t0" }, signal: new AbortController().signal });

  it("gets a web fetch: authenticated, with streamed bodies, aborted by its signal", async () => {
    const gone = Promise.withResolvers<void>();
    await using server = await startEchoServer((_request, response, { body }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${body}\n\n`);
      response.once("close", gone.resolve);
    });
    await using bench = openToolBench();
    const fetch = bench.outbound.webFetch(route, context(), { timeoutMs: 5_000 });
    const answer = await fetch(`${server.url}/mcp`, { method: "POST", body: "hello" });
    assert.deepEqual(
      [answer.status, answer.headers.get("content-type"), server.last().headers.authorization],
      [200, "text/event-stream", "Bearer t0"],
    );
    assert.ok(answer.body);
    for await (const chunk of answer.body) {
      assert.equal(Buffer.from(chunk).toString(), "data: hello\n\n");
      break;
    }
    await gone.promise;
  });

  it("gets an error when a response is too large or does not begin", async () => {
    await using server = await startEchoServer((_request, response, { url }) => {
      if (url === "/large") response.end("x".repeat(2_000));
    });
    await using bench = openToolBench();
    const fetchWithin = (timeoutMs: number) =>
      bench.outbound.webFetch(route, context(), { timeoutMs, maxBytes: 1_000 });
    const large = await fetchWithin(10_000)(`${server.url}/large`);
    await assert.rejects(large.text(), /larger than 1000 bytes/);
    await assert.rejects(fetchWithin(100)(`${server.url}/silent`), { kind: "timeout" });
  });
});

describe("a server that behaves badly", () => {
  const failing = async (listener: Parameters<typeof startEchoServer>[0], more: object = {}) => {
    await using server = await startEchoServer(listener);
    await using bench = openToolBench();
    const document = documentOf(server.url, { "/x": { post: { operationId: "x", responses: {} } } });
    const outcome = await bench.run(openApiTool(document, {}, more), {});
    return { error: String(outcome.response.error).replace(server.url, "URL"), requests: server.requests.length };
  };
  const short = { timeout: { seconds: 0n, nanos: 200_000_000 } };

  it("is cut off when its response has no end", async () => {
    const chunk = Buffer.alloc(1 << 20);
    const { error } = await failing((_request, response) => {
      response.setHeader("content-type", "application/json");
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    assert.equal(
      error,
      "Calling 'x' failed: The response of URL is larger than 10485760 bytes.".replace("'x'", "'one'"),
    );
  });

  it("times out when it is silent or slow", async () => {
    const late = "Calling 'one' failed: POST URL/x took longer than 200 ms.";
    assert.equal((await failing(() => {}, short)).error, late);
    const { error } = await failing((_request, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
    }, short);
    assert.equal(error, late);
  });

  it("is retried after a transient error where that is safe", async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) =>
      response.writeHead(++count === 1 ? 503 : 200, { "retry-after": "0" }).end("{}"),
    );
    await using bench = openToolBench();
    assert.deepEqual([await answer(bench, toolAt(server.url)), count], [{}, 2]);
    const { requests } = await failing((_request, response) => response.writeHead(503, { "retry-after": "0" }).end());
    assert.equal(requests, 1);
  });
});

describe("TLS of a tool", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "wire", "__fixtures__", name), "utf8");
  const cert = read("localhost.crt");
  const key = read("localhost.key");
  const der = new Uint8Array(Buffer.from(cert.replaceAll(/-----[^-]+-----|\s/g, ""), "base64"));
  const service = "projects/p/locations/us/namespaces/n/services/s";

  async function callOver(
    host: string,
    options: { readonly trusted?: boolean; readonly client?: boolean; readonly requestCert?: boolean },
  ) {
    const server = createServer(
      { cert, key, requestCert: options.requestCert ?? false, ca: cert },
      (_request, response) => response.setHeader("content-type", "application/json").end('{"ok":true}'),
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const privateKey = "projects/shop/secrets/tls/versions/1";
      await using bench = openToolBench({
        secrets: { [privateKey]: key },
        config: { serviceDirectory: { [service]: `127.0.0.1:${port}` } },
      });
      const tlsConfig = create(TlsConfigSchema, { caCerts: [{ displayName: "own", cert: der }] });
      const tool = toolAt(`https://${host}:${port}`, undefined, {
        ...(options.trusted !== false && { tlsConfig }),
        ...(host !== "localhost" && { serviceDirectoryConfig: { service } }),
      });
      const settings = { clientCertificateSettings: { tlsCertificate: cert, privateKey, passphrase: "" } };
      const response = await answer(bench, tool, {}, options.client ? { settings } : {});
      return response.error ?? response;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it("trusts the CA certificates of the definition instead of the public ones", async () => {
    assert.deepEqual(await callOver("localhost", {}), { ok: true });
    assert.match(
      String(await callOver("localhost", { trusted: false })),
      /the certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT/,
    );
  });

  it("reports a certificate for another name", async () => {
    assert.match(String(await callOver("shop.example", {})), /the certificate is for another name/);
  });

  it("presents the app's client certificate", async () => {
    assert.deepEqual(await callOver("localhost", { requestCert: true, client: true }), { ok: true });
    assert.match(
      String(await callOver("localhost", { requestCert: true })),
      /^Calling 'one' failed: GET https:\/\/localhost:\d+\/x failed/,
    );
  });
});
