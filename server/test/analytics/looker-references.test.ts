import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { askAll } from "./data-server.ts";
import { type FakeLooker, startFakeLooker } from "./fake-looker.ts";
import { answerOf, KEY, lookerQuestion, startLookerServer } from "./looker-questions.ts";

let looker: FakeLooker;
let server: TestServer;
before(async () => {
  looker = await startFakeLooker();
  server = await startLookerServer(looker);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await looker[Symbol.asyncDispose]();
});
beforeEach(() => looker.calls.splice(0));

const question = (text: string, more: object = {}, explore: object = {}) => lookerQuestion(looker, text, more, explore);

describe("a Looker reference is rejected for", () => {
  const refusals: readonly (readonly [string, () => object, string, RegExp])[] = [
    [
      "no credentials",
      () => question("x", { credentials: {} }),
      "INVALID_ARGUMENT",
      /looker.credentials.kind: KIND_NOT_SET/,
    ],
    [
      "another key",
      () => question("x", { credentials: { oauth: { secret: { clientId: "id", clientSecret: "hunter2" } } } }),
      "UNAUTHENTICATED",
      /rejects the credentials/,
    ],
    [
      "a stale token",
      () => question("x", { credentials: { oauth: { token: { accessToken: "hunter2" } } } }),
      "UNAUTHENTICATED",
      /rejects the credentials/,
    ],
    ["an explore out of reach", () => question("x", {}, { explore: "payroll" }), "PERMISSION_DENIED", /shop::payroll/],
    [
      "an unknown explore",
      () => question("x", {}, { explore: "nope" }),
      "FAILED_PRECONDITION",
      /no explore shop::nope/,
    ],
    [
      "plain http",
      () => question("x", {}, { lookerInstanceUri: "http://looker.example.com" }),
      "INVALID_ARGUMENT",
      /must be the https address/,
    ],
    [
      "an instance that is not opened",
      () => question("x", {}, { lookerInstanceUri: "https://looker.example.com" }),
      "FAILED_PRECONDITION",
      /warehouse\.looker: \{ "https:\/\/looker.example.com": \{\} \}/,
    ],
    [
      "development mode",
      () => question("x", { lookerSettings: { enableDevMode: true } }),
      "INVALID_ARGUMENT",
      /looker_settings.enable_dev_mode/,
    ],
  ];
  for (const [name, body, status, words] of refusals) {
    it(name, async () => {
      const [refused] = await askAll(server, body());
      assert.equal(refused.error.status, status);
      assert.match(refused.error.message, words);
      assert.ok(!JSON.stringify(refused).includes("hunter2"));
    });
  }

  it("more than five explores, or two instances", async () => {
    const reference = (uri: string) => ({ lookerInstanceUri: uri, lookmlModel: "shop", explore: "orders" });
    const asked = (exploreReferences: object[]) =>
      askAll(server, question("x", { inlineContext: { datasourceReferences: { looker: { exploreReferences } } } }));
    const [six] = await asked(Array.from({ length: 6 }, () => reference(looker.origin)));
    assert.match(six.error.message, /at most 5 explores/);
    const [two] = await asked([reference(looker.origin), reference("https://other.example.com")]);
    assert.match(two.error.message, /of one Looker instance/);
    assert.deepEqual(looker.calls, []);
  });

  it("an address that the egress gate blocks: a private host must be allowed too", async () => {
    const warehouse = { sources: [], memory: "256MB", spillDir: "/tmp/none", looker: [{ origin: looker.origin }] };
    await using closed = await startTestServer({ config: { warehouse } });
    const [refused] = await askAll(closed, question("revenue"));
    assert.equal(refused.error.status, "UNAVAILABLE");
    assert.match(refused.error.message, /127\.0\.0\.1 is a loopback address/);
    assert.deepEqual(looker.calls, []);
  });
});

describe("with what a Looker instance is asked", () => {
  it("the operator's key where a question brings none", async () => {
    const apiKey = () => ({ clientId: "id", clientSecret: "secret" });
    const own = { sources: [], memory: "256MB", spillDir: "/tmp/none", looker: [{ origin: looker.origin, apiKey }] };
    await using keyed = await startTestServer({ config: { warehouse: own, egressAllow: ["127.0.0.1"] } });
    const told = await askAll(keyed, question("revenue", { credentials: undefined }));
    assert.match(answerOf(told), /Total Revenue: \*\*\$1,500\.50\*\*/);
  });

  it("a token as it is, without a login", async () => {
    const credentials = { oauth: { token: { accessToken: "looker-token" } } };
    const told = await askAll(server, question("revenue", { credentials }));
    assert.match(answerOf(told), /Total Revenue/);
    assert.ok(looker.calls.every(({ path }) => path !== "/api/4.0/login"));
  });

  it("credentials of the older shape", async () => {
    const body = question("revenue", { credentials: undefined });
    const { looker: references } = body.inlineContext.datasourceReferences;
    const datasourceReferences = { looker: { ...references, credentials: KEY } };
    const told = await askAll(server, { ...body, inlineContext: { datasourceReferences } });
    assert.match(answerOf(told), /Total Revenue: \*\*\$1,500\.50\*\*/);
  });
});
