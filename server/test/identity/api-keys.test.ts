import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Caller } from "#base";
import { type AuthServer, bearer, LOCATION, PROJECT, startAuthServer } from "./auth-server.ts";
import { refusalsElsewhere } from "./refusals-elsewhere.ts";
import { sign } from "./sign.ts";

const APPS = `/v1beta/${LOCATION}/apps`;
const CREDENTIALS = `/v1beta/${PROJECT}/credentials`;

let server: AuthServer;
before(async () => {
  server = await startAuthServer();
});
after(() => server[Symbol.asyncDispose]());

interface Listed {
  readonly credentials?: readonly Readonly<Record<string, unknown>>[];
  readonly nextPageToken?: string;
}

const list = async (query = ""): Promise<Listed> =>
  (await (await server.call(`${CREDENTIALS}${query}`, server.operator)).json()) as Listed;

async function create(
  credential: object,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(credential) };
  const response = await server.call(CREDENTIALS, server.operator, init);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

describe("an API key (AUTH-9)", () => {
  it("shows who calls in a header, in the address, and as a bearer token", async () => {
    const { text } = await server.createApiKey();
    const answers = [
      await server.call(APPS, { "x-goog-api-key": text }),
      await server.call(`${APPS}?key=${text}`),
      await server.call(APPS, bearer(text)),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it("is limited to its project, or to apps of it", async () => {
    const app = `${LOCATION}/apps/a`;
    const callerOf = (text: string): Promise<Caller> =>
      server.app.authentication.authenticator.authenticate({
        headers: new Map([["x-goog-api-key", text]]),
        peer: { address: "" },
        isSafe: true,
      });
    const { kind, principal, within } = await callerOf((await server.createApiKey()).text);
    assert.deepEqual([kind, within], ["apiKey", [PROJECT]]);
    assert.match(principal, /^apiKey:[0-9a-f]{20}$/);
    assert.deepEqual((await callerOf((await server.createApiKey({ within: [app] })).text)).within, [app]);
  });

  it("is refused when it is not known, changed, expired or revoked", async () => {
    const { name, text } = await server.createApiKey();
    const expiring = await server.createApiKey({ expireTime: new Date(Date.now() + 50).toISOString() });
    const changed = `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`;
    assert.equal((await server.call(APPS, { "x-goog-api-key": text })).status, 200);
    await server.call(`/v1beta/${name}`, server.operator, { method: "DELETE" });
    for (const key of ["AIzaSyA1b2c3", changed, text, expiring.text]) {
      const response = await waitFor(() => server.call(APPS, { "x-goog-api-key": key }), 401);
      const { error } = (await response.json()) as { error: { message: string; details: { reason: string }[] } };
      assert.deepEqual([response.status, error.details[0]?.reason], [401, "API_KEY_INVALID"]);
      assert.match(error.message, /API key not valid. Please pass a valid API key/);
      const elsewhere = await refusalsElsewhere(server.address, { "x-goog-api-key": key });
      assert.deepEqual(new Set(Object.values(elsewhere).map(({ message }) => message)), new Set([error.message]));
    }
  });

  it("is kept as a digest only", async () => {
    const { name, text } = await server.createApiKey();
    const row = await server.app.storage.credentials.get(name.split("/").at(-1) ?? "");
    assert.equal(JSON.stringify(row).includes(text.split(".")[2] ?? text), false);
  });
});

describe("the list of keys", () => {
  it("shows who made them and when they were used last, and never a secret", async () => {
    const maker = await server.createKey("maker");
    const body = JSON.stringify({ kind: "API_KEY", displayName: "nightly" });
    const headers = { "content-type": "application/json" };
    const made = await server.call(CREDENTIALS, bearer(await sign(maker)), { method: "POST", headers, body });
    const { secret, ...created } = (await made.json()) as Record<string, unknown>;
    await server.call(APPS, { "x-goog-api-key": String(secret) });
    const { credentials = [] } = await list();
    const found = credentials.find(({ name }) => name === created.name);
    const { lastUsedTime, ...rest } = found ?? {};
    assert.deepEqual(rest, { ...created, createdBy: "serviceAccount:maker@local.frontdesk.local" });
    assert.match(String(lastUsedTime), /^\d{4}-/);
    assert.equal(JSON.stringify(credentials).includes("secret"), false);
  });

  it("has pages", async () => {
    const first = await list("?pageSize=1");
    const second = await list(`?pageSize=1&pageToken=${first.nextPageToken}`);
    assert.equal(first.credentials?.length, 1);
    assert.notDeepEqual(first.credentials, second.credentials);
  });

  it("has nothing of another project, and a key is found under its own project only", async () => {
    const { name } = await server.createApiKey();
    const elsewhere = name.replace(PROJECT, "projects/other");
    assert.equal((await server.call(`/v1beta/${elsewhere}`, server.operator)).status, 404);
    const { credentials } = (await (
      await server.call("/v1beta/projects/other/credentials", server.operator)
    ).json()) as Listed;
    assert.equal(credentials, undefined);
  });
});

describe("a key that cannot be made", () => {
  const cases: Readonly<Record<string, readonly [credential: object, fields: readonly string[]]>> = {
    "without a kind": [{}, ["credential.kind"]],
    "of an account with capital letters": [{ kind: "SERVICE_ACCOUNT_KEY", account: "CI" }, ["credential.account"]],
    "of no account, limited to an app": [
      { kind: "SERVICE_ACCOUNT_KEY", within: [PROJECT] },
      ["credential.account", "credential.within"],
    ],
    "for another project, with an account and an end that has passed": [
      { kind: "API_KEY", within: ["projects/other"], account: "ci", expireTime: "2020-01-01T00:00:00Z" },
      ["credential.expire_time", "credential.account", "credential.within"],
    ],
    "with a long name": [{ kind: "API_KEY", displayName: "x".repeat(101) }, ["credential.display_name"]],
  };
  for (const [name, [credential, fields]] of Object.entries(cases)) {
    it(`is refused with all that is wrong: one ${name}`, async () => {
      const { status, json } = await create(credential);
      const { details } = json.error as { details: { fieldViolations: { field: string }[] }[] };
      assert.deepEqual([status, details[0]?.fieldViolations.map(({ field }) => field)], [400, fields]);
    });
  }
});

/** The first response with a status, at most for a second: a credential may have to expire first. */
async function waitFor(call: () => Promise<Response>, status: number): Promise<Response> {
  const until = Date.now() + 1_000;
  for (;;) {
    const response = await call();
    if (response.status === status || Date.now() > until) return response;
  }
}
