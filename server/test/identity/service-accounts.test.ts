import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type AccountKey, type AuthServer, bearer, LOCATION, startAuthServer } from "./auth-server.ts";
import { refusalsElsewhere } from "./refusals-elsewhere.ts";
import { seconds, sign } from "./sign.ts";

const APPS = `/v1beta/${LOCATION}/apps`;

let server: AuthServer;
let key: AccountKey;
before(async () => {
  server = await startAuthServer();
  key = await server.createKey("ci");
});
after(() => server[Symbol.asyncDispose]());

interface ErrorBody {
  readonly error: { readonly message: string; readonly details: readonly { readonly reason: string }[] };
}

/** Status, reason and message of a call. */
async function refusal(credential: Readonly<Record<string, string>>) {
  const response = await server.call(APPS, credential);
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, reason: error?.details[0]?.reason, message: error?.message, response };
}

describe("a self-signed JWT of a service account (AUTH-2)", () => {
  it("shows who calls, for the service's name and for the server's own address", async () => {
    const audiences = [
      "https://ces.googleapis.com/",
      "https://ces.us.rep.googleapis.com",
      `${server.address}/`,
      `${server.address}${APPS}`,
    ];
    for (const aud of audiences) {
      const response = await server.call(APPS, bearer(await sign(key, { aud })));
      assert.equal(response.status, 200, aud);
    }
  });

  it("may have a scope in place of an audience", async () => {
    const scope = "https://www.googleapis.com/auth/cloud-platform";
    assert.equal((await server.call(APPS, bearer(await sign(key, { aud: undefined, scope })))).status, 200);
  });

  const forger = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const other = { email: "ci@local.frontdesk.local", kid: "0".repeat(40), privateKey: forger.privateKey };
  const parts = async (change: (header: string, claims: string, signature: string) => string) => {
    const [header = "", claims = "", signature = ""] = (await sign(key)).split(".");
    return change(header, claims, signature);
  };
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  const refused: Readonly<Record<string, readonly [token: () => Promise<string>, reason: string, words: RegExp]>> = {
    "signed with another key": [
      () => sign({ ...key, privateKey: forger.privateKey }),
      "ACCESS_TOKEN_INVALID",
      /signature/,
    ],
    "with a key id that is not known": [() => sign(other), "ACCESS_TOKEN_INVALID", /has no key 0{40} here/],
    "without a key id": [() => sign(key, {}, { kid: undefined }), "ACCESS_TOKEN_INVALID", /has no key without an id/],
    "of another account than its key": [
      () => sign(key, { iss: "admin@local.frontdesk.local", sub: "admin@local.frontdesk.local" }),
      "ACCESS_TOKEN_INVALID",
      /admin@local.frontdesk.local has no key/,
    ],
    "for another subject": [() => sign(key, { sub: "ann@example.com" }), "ACCESS_TOKEN_INVALID", /'sub' must be 'iss'/],
    "without a signature, alg none": [
      () => parts((_header, claims) => `${encoded({ alg: "none", kid: key.kid })}.${claims}.`),
      "ACCESS_TOKEN_INVALID",
      /not signed/,
    ],
    "signed with the public key as a shared secret, alg HS256": [
      () =>
        parts((_header, claims) => {
          const signed = `${encoded({ alg: "HS256", kid: key.kid })}.${claims}`;
          return `${signed}.${createHmac("sha256", "public").update(signed).digest("base64url")}`;
        }),
      "ACCESS_TOKEN_INVALID",
      /algorithm/,
    ],
    "whose claims were changed": [
      () =>
        parts((header, claims, signature) => {
          const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), exp: seconds() + 3_000 };
          return `${header}.${encoded(changed)}.${signature}`;
        }),
      "ACCESS_TOKEN_INVALID",
      /signature/,
    ],
    expired: [() => sign(key, { exp: seconds() - 61 }), "ACCESS_TOKEN_EXPIRED", /expired at \d{4}-/],
    "that is not valid yet": [() => sign(key, { nbf: seconds() + 120 }), "ACCESS_TOKEN_INVALID", /clock/],
    "valid for longer than an hour": [
      () => sign(key, { exp: seconds() + 7_200 }),
      "ACCESS_TOKEN_INVALID",
      /longer than an hour/,
    ],
    "without an end": [() => sign(key, { exp: undefined }), "ACCESS_TOKEN_INVALID", /lacks the claim 'exp'/],
    "for another service": [
      () => sign(key, { aud: "https://storage.googleapis.com/" }),
      "ACCESS_TOKEN_INVALID",
      /is for 'https:\/\/storage.googleapis.com\/'/,
    ],
    "for another host with the service's name in front": [
      () => sign(key, { aud: "https://ces.googleapis.com.evil.example/" }),
      "ACCESS_TOKEN_INVALID",
      /not this server/,
    ],
    "that is an assertion for the token endpoint": [
      () => sign(key, { aud: `${server.address}/token` }),
      "ACCESS_TOKEN_INVALID",
      /not this server/,
    ],
    "with neither audience nor scope": [() => sign(key, { aud: undefined }), "ACCESS_TOKEN_INVALID", /neither/],
    "that is a logout token": [
      () => sign(key, {}, { typ: "logout+jwt" }),
      "ACCESS_TOKEN_INVALID",
      /does not show who calls/,
    ],
    "with a header that must be understood and is not": [
      () =>
        parts((_header, claims, signature) => {
          const header = { alg: "RS256", kid: key.kid, crit: ["x"], x: 1 };
          return `${encoded(header)}.${claims}.${signature}`;
        }),
      "ACCESS_TOKEN_INVALID",
      /not a valid JWT/,
    ],
    "of an issuer that nobody configured": [
      () => sign(key, { iss: "https://issuer.example", sub: "x" }),
      "ACCESS_TOKEN_INVALID",
      /issuer 'https:\/\/issuer.example' is not one of this server/,
    ],
    "with more characters than any token has": [
      () => sign(key, { padding: "x".repeat(20_000) }),
      "ACCESS_TOKEN_INVALID",
      /the longest that is read/,
    ],
  };
  for (const [name, [token, reason, words]] of Object.entries(refused)) {
    it(`is refused when it is one ${name}`, async () => {
      const credential = bearer(await token());
      const answer = await refusal(credential);
      assert.deepEqual([answer.status, answer.reason], [401, reason]);
      assert.match(answer.message, words);
      assert.match(answer.message, /^Request had invalid authentication credentials\./);
      assert.match(
        answer.response.headers.get("www-authenticate") ?? "",
        /^Bearer realm="frontdesk", error="invalid_token"/,
      );
      for (const [wire, elsewhere] of Object.entries(await refusalsElsewhere(server.address, credential)))
        assert.deepEqual(
          elsewhere,
          { reason: wire === "MCP" ? "invalid_token" : reason, message: answer.message },
          wire,
        );
    });
  }

  it("is accepted with a clock that is a minute off, and no more", async () => {
    const skewed = await sign(key, { iat: seconds() + 30, nbf: seconds() + 30, exp: seconds() + 3_630 });
    assert.equal((await server.call(APPS, bearer(skewed))).status, 200);
    const late = await sign(key, { iat: seconds() - 3_630, exp: seconds() - 30 });
    assert.equal((await server.call(APPS, bearer(late))).status, 200);
  });

  it("ends with its key, at once, although it was used before", async () => {
    const revoked = await server.createKey("leaver");
    const token = bearer(await sign(revoked));
    assert.equal((await server.call(APPS, token)).status, 200);
    await server.call(`/v1beta/${revoked.name}`, server.operator, { method: "DELETE" });
    const { status, message } = await refusal(token);
    assert.equal(status, 401);
    assert.match(message, /it was revoked, has expired, or is of another server/);
    assert.equal((await server.call(APPS, bearer(await sign(key)))).status, 200);
  });
});

describe("a server that is bound to all addresses", () => {
  it("goes by the names of this machine, and says that others need --origin", async () => {
    await using open = await startAuthServer({ config: { host: "0.0.0.0" } });
    const { port } = new URL(open.address);
    const local = await open.createKey("local");
    const statusFor = async (aud: string) => (await open.call(APPS, bearer(await sign(local, { aud })))).status;
    assert.deepEqual(
      [await statusFor(`http://localhost:${port}/`), await statusFor("https://desk.example.com/")],
      [200, 401],
    );
    const banner = await open.banner(true);
    assert.match(banner, new RegExp(`http://localhost:${port}/auth/login\\?link=`));
    assert.match(banner, /note .*--origin https:\/\/desk\.example\.com/);
  });

  it("goes by the name that it was given", async () => {
    const origin = "https://desk.example.com";
    await using named = await startAuthServer({ config: { host: "0.0.0.0" }, auth: { origin } });
    const local = await named.createKey("local");
    assert.equal(JSON.parse(local.text).token_uri, `${origin}/token`);
    assert.equal((await named.call(APPS, bearer(await sign(local, { aud: `${origin}/` })))).status, 200);
    const banner = await named.banner(true);
    assert.match(banner, /https:\/\/desk\.example\.com\/auth\/login\?link=/);
    assert.doesNotMatch(banner, /--origin/);
  });
});
