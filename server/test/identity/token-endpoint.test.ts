import assert from "node:assert/strict";
import { createSign } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { ANONYMOUS } from "#base";
import { type AccountKey, type AuthServer, bearer, LOCATION, startAuthServer } from "./auth-server.ts";
import { type FakeIssuer, startFakeIssuer } from "./fake-issuer.ts";
import { seconds, sign } from "./sign.ts";

const APPS = `/v1beta/${LOCATION}/apps`;
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT = "urn:ietf:params:oauth:token-type:jwt";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

let server: AuthServer;
let issuer: FakeIssuer;
let key: AccountKey;
before(async () => {
  issuer = await startFakeIssuer("sts");
  server = await startAuthServer({
    auth: { issuers: [{ name: "ci", issuer: issuer.issuer, audiences: ["sts"], kind: "workload", project: "local" }] },
  });
  key = await server.createKey("ci");
});
after(() => Promise.all([server[Symbol.asyncDispose](), issuer[Symbol.asyncDispose]()]));

/** Sends a form as it is. */
async function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await server.call("/token", headers, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  return { status: response.status, response, json: (await response.json()) as Readonly<Record<string, unknown>> };
}

const form = (fields: Readonly<Record<string, string>>) => post(new URLSearchParams(fields).toString());

const statusWith = async (token: unknown) => (await server.call(APPS, bearer(String(token)))).status;

/** A JWT written as Python's `json.dumps` does: with a space after each comma and colon. */
function pythonJwt(header: object, claims: object): string {
  const dumps = (value: object) =>
    `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}: ${JSON.stringify(item)}`)
      .join(", ")}}`;
  const encode = (text: string) => Buffer.from(text).toString("base64url");
  const signed = `${encode(dumps(header))}.${encode(dumps(claims))}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(key.privateKey).toString("base64url")}`;
}

describe("the JWT bearer grant (AUTH-4)", () => {
  it("answers what Python's google-auth sends for a key file, byte for byte: no subject, Google's audience", async () => {
    const scope = "https://www.googleapis.com/auth/cloud-platform";
    const iat = seconds();
    const aud = "https://oauth2.googleapis.com/token";
    const assertion = pythonJwt(
      { typ: "JWT", alg: "RS256", kid: key.kid },
      { iat, exp: iat + 3_600, iss: key.email, aud, scope },
    );
    const { status, json, response } = await post(
      `assertion=${assertion}&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer`,
    );
    assert.equal(status, 200);
    const { access_token, expires_in, ...rest } = json;
    assert.deepEqual(rest, { token_type: "Bearer", scope });
    assert.ok(Number(expires_in) > 3_500 && Number(expires_in) <= 3_600, String(expires_in));
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(await statusWith(access_token), 200);
  });

  const refused: Readonly<Record<string, readonly [assertion: () => Promise<string>, words: RegExp]>> = {
    "for the API, and not for the endpoint": [() => sign(key), /is for 'https:\/\/ces.googleapis.com\/'/],
    "of an account that is not here": [() => sign({ ...key, kid: "0".repeat(40) }, { aud: tokenUri() }), /has no key/],
    expired: [() => sign(key, { aud: tokenUri(), exp: seconds() - 61 }), /expired at/],
    "of another issuer": [() => issuer.sign({}), /not a JWT of a service account/],
    "that is no JWT": [async () => "assertion", /not a JWT of a service account/],
  };
  const tokenUri = () => `${server.address}/token`;
  for (const [name, [assertion, words]] of Object.entries(refused)) {
    it(`answers invalid_grant to an assertion ${name}`, async () => {
      const { status, json } = await form({ grant_type: JWT_BEARER, assertion: await assertion() });
      assert.deepEqual([status, json.error], [400, "invalid_grant"]);
      assert.match(String(json.error_description), words);
    });
  }

  it("takes an assertion with an id once, and one without as often as it comes", async () => {
    const fields = { grant_type: JWT_BEARER, assertion: await sign(key, { aud: tokenUri(), jti: "one" }) };
    assert.equal((await form(fields)).status, 200);
    const { status, json } = await form(fields);
    assert.deepEqual([status, json.error], [400, "invalid_grant"]);
    assert.match(String(json.error_description), /used before/);
    const plain = { grant_type: JWT_BEARER, assertion: await sign(key, { aud: tokenUri() }) };
    assert.deepEqual([(await form(plain)).status, (await form(plain)).status], [200, 200]);
  });

  it("gives tokens that end with the key, at once", async () => {
    const leaver = await server.createKey("leaver");
    const { json } = await form({ grant_type: JWT_BEARER, assertion: await sign(leaver, { aud: tokenUri() }) });
    assert.equal(await statusWith(json.access_token), 200);
    await server.call(`/v1beta/${leaver.name}`, server.operator, { method: "DELETE" });
    assert.equal(await statusWith(json.access_token), 401);
  });

  it("gives tokens that nobody can change", async () => {
    const { json } = await form({ grant_type: JWT_BEARER, assertion: await sign(key, { aud: tokenUri() }) });
    const [prefix, claims = "", signature] = String(json.access_token).split(".");
    const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), principal: "user:root@example.com" };
    const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
    assert.equal(await statusWith(`${prefix}.${forged}.${signature}`), 401);
    assert.equal(await statusWith(`${prefix}.${claims}.`), 401);
  });
});

describe("the token exchange (AUTH-5)", () => {
  const provider = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/any";
  const fields = async (more: Readonly<Record<string, string>> = {}) => ({
    ...{ grant_type: EXCHANGE, audience: provider, requested_token_type: ACCESS_TOKEN, subject_token_type: JWT },
    ...{ subject_token: await issuer.sign({}), scope: "https://www.googleapis.com/auth/cloud-platform" },
    ...more,
  });

  it("gives a token of the same caller that ends with the one that was exchanged", async () => {
    const { status, json } = await form(await fields());
    const { access_token, expires_in, ...rest } = json;
    assert.equal(status, 200);
    assert.deepEqual(rest, {
      token_type: "Bearer",
      scope: "https://www.googleapis.com/auth/cloud-platform",
      issued_token_type: ACCESS_TOKEN,
    });
    assert.ok(Number(expires_in) <= 600, String(expires_in));
    assert.equal(await statusWith(access_token), 200);
  });

  it("takes a token that was made for the provider", async () => {
    assert.equal((await form(await fields({ subject_token: await issuer.sign({ aud: provider }) }))).status, 200);
  });

  const refused: Readonly<Record<string, readonly [more: () => Promise<Record<string, string>>, error: string]>> = {
    "another audience": [async () => ({ subject_token: await issuer.sign({ aud: "another" }) }), "invalid_grant"],
    "a provider of another issuer": [async () => ({ audience: provider.replace("/ci/", "/okta/") }), "invalid_target"],
    "a key of this server": [async () => ({ subject_token: await sign(key) }), "invalid_grant"],
    "another type of token": [
      async () => ({ subject_token_type: "urn:ietf:params:aws:token-type:aws4_request" }),
      "invalid_request",
    ],
    "a wish for another type": [async () => ({ requested_token_type: JWT }), "invalid_request"],
  };
  for (const [name, [more, error]] of Object.entries(refused)) {
    it(`refuses ${name} with ${error}`, async () => {
      const { status, json } = await form(await fields(await more()));
      assert.deepEqual([status, json.error], [400, error]);
    });
  }

  it("answers 503 while the issuer cannot be reached", async () => {
    await using own = await startFakeIssuer("sts");
    own.behaviour = "gone";
    const issuers = [
      { name: "ci", issuer: own.issuer, audiences: ["sts"], kind: "workload", project: "local" } as const,
    ];
    await using alone = await startAuthServer({ auth: { issuers } });
    const body = new URLSearchParams(await fields({ subject_token: await own.sign({}) }));
    const response = await fetch(`${alone.address}/token`, { method: "POST", body });
    assert.deepEqual(
      [response.status, ((await response.json()) as { error: string }).error],
      [503, "temporarily_unavailable"],
    );
  });
});

describe("a refresh token (AUTH-6)", () => {
  const ann = { ...ANONYMOUS, kind: "user", principal: "user:ann@example.com", claims: { city: "Bern" } } as const;

  it("gives access tokens of the person until it is revoked", async () => {
    const { refreshTokens, credentials } = server.app.authentication;
    const { token } = await refreshTokens.issue(ann, "laptop");
    const refresh = () =>
      post(`grant_type=refresh_token&refresh_token=${token}`, { authorization: `Basic ${btoa("client:secret")}` });
    const { status, json } = await refresh();
    assert.deepEqual([status, json.token_type, await statusWith(json.access_token)], [200, "Bearer", 200]);
    const [, id = ""] = token.split(".");
    await credentials.revoke(id);
    assert.deepEqual([(await refresh()).json.error, await statusWith(json.access_token)], ["invalid_grant", 401]);
  });

  it("is no access token, and one with another secret is no refresh token", async () => {
    const { token } = await server.app.authentication.refreshTokens.issue(ann, "laptop");
    assert.equal(await statusWith(token), 401);
    const other = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    assert.equal((await form({ grant_type: "refresh_token", refresh_token: other })).json.error, "invalid_grant");
  });
});

describe("the token endpoint", () => {
  it("says what is wrong with a request", async () => {
    const answers = [
      await form({}),
      await form({ grant_type: "password" }),
      await form({ grant_type: "constructor" }),
      await form({ grant_type: JWT_BEARER }),
    ];
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.error]),
      [
        [400, "invalid_request"],
        [400, "unsupported_grant_type"],
        [400, "unsupported_grant_type"],
        [400, "invalid_request"],
      ],
    );
    const get = await server.call("/token");
    assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
    const json = await server.call(
      "/token",
      {},
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    );
    assert.equal(json.status, 415);
    assert.equal((await post("x".repeat(70_000))).status, 413);
  });
});
