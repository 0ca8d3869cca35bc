import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { ErrorInfoSchema, RetryInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { Code, ConnectError } from "#status";
import { modelsWith, partsOf } from "./__fixtures__/call-model.ts";
import { type FakeReply, fakeProvider } from "./__fixtures__/fake-provider.ts";
import type { ModelsConfig, ProviderConfig } from "./models-config.ts";
import { modelsConfigFrom } from "./models-config-from.ts";

const provider = (name: string, url: string): ProviderConfig => ({
  ...{ kind: "openai", name, keySource: "none", headers: {}, apiKey: "" },
  baseUrl: `${url}/v1`,
});
const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
const saying = (text: string): FakeReply => ({ pieces: [event({ content: text }), event({}, "stop")] });
const reject = (status: number): FakeReply => ({ status, pieces: [JSON.stringify({ error: { message: "no" } })] });

const ONCE: Partial<ModelsConfig> = { retries: { attempts: 1, baseDelayMs: 1, maxDelayMs: 1 } };

/** What a model says, or the code of its error. */
async function said(models: ReturnType<typeof modelsWith>, name: string): Promise<string | undefined> {
  const parts = await partsOf(models.resolve(name)).catch((error: unknown) => ConnectError.from(error));
  if (parts instanceof ConnectError) return Code[parts.code];
  return parts.map((part) => (part.kind === "text-delta" ? part.text : "")).join("");
}

describe("a model that is down (TURN-64)", () => {
  it("is left alone after calls in a row that found it so, and tried by one call when the time is over", async () => {
    await using fake = await fakeProvider(reject(503), reject(503), reject(503), saying("back"), saying("again"));
    let now = 0;
    const breaker = { failures: 2, openMs: 1_000, silentMs: 60_000 };
    await using models = modelsWith(provider("a", fake.url), { ...ONCE, breaker }, { now: () => now });
    assert.deepEqual([await said(models, "a/m"), await said(models, "a/m")], ["Unavailable", "Unavailable"]);
    now = 400;
    const refused = await partsOf(models.resolve("a/m")).catch((error: unknown) => ConnectError.from(error));
    assert.match(`${refused}`, /did not answer several calls in a row/);
    assert.equal(fake.requests.length, 2);
    now = 1_000;
    assert.equal(await said(models, "a/m"), "Unavailable");
    assert.equal(await said(models, "a/m"), "Unavailable");
    assert.equal(fake.requests.length, 3);
    now = 2_000;
    assert.deepEqual([await said(models, "a/m"), await said(models, "a/m")], ["back", "again"]);
  });

  it("is tried when the time is over, although the clock was set back meanwhile", async () => {
    await using fake = await fakeProvider(reject(503), saying("back"));
    let now = 3_600_000;
    const breaker = { failures: 1, openMs: 1_000, silentMs: 60_000 };
    await using models = modelsWith(provider("a", fake.url), { ...ONCE, breaker }, { now: () => now });
    assert.equal(await said(models, "a/m"), "Unavailable");
    now = 0;
    assert.equal(await said(models, "a/m"), "Unavailable");
    assert.equal(fake.requests.length, 1);
    now = 1_000;
    assert.equal(await said(models, "a/m"), "back");
  });

  it("is not what a model is that refuses a request", async () => {
    await using fake = await fakeProvider(reject(400), reject(400), reject(400), saying("fine"));
    await using models = modelsWith(provider("a", fake.url), {
      ...ONCE,
      breaker: { failures: 2, openMs: 1_000, silentMs: 60_000 },
    });
    for (let call = 0; call < 3; call += 1) assert.equal(await said(models, "a/m"), "InvalidArgument");
    assert.equal(await said(models, "a/m"), "fine");
  });
});

/** A model whose server accepts calls and never answers: real connections on which nothing comes. */
async function muteServer() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = new Map<Socket, Promise<unknown>>();
  server.on("connection", (socket) => {
    sockets.set(socket, once(socket, "close"));
    // What nobody reads hides the end of the connection, which comes after it.
    socket.resume();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves when its clients have closed all connections that they opened. */
    left: () => Promise.all(sockets.values()),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a model that never answers (TURN-64)", () => {
  const breaker = { failures: 3, openMs: 60_000, silentMs: 50 };

  it("is left alone once calls in a row were silent: they and later ones are UNAVAILABLE with the time to wait", async () => {
    await using mute = await muteServer();
    await using models = modelsWith(provider("a", mute.url), { breaker });
    const call = () =>
      partsOf(models.resolve("a/m")).then(
        () => assert.fail("it answered"),
        (error: unknown) => ConnectError.from(error),
      );
    const errors = await Promise.all([call(), call(), call()]);
    errors.push(await call());
    assert.deepEqual(
      errors.map((error) => [Code[error.code], error.findDetails(ErrorInfoSchema)[0]?.reason]),
      [...Array(3).fill(["Unavailable", "MODEL_SILENT"]), ["Unavailable", "MODEL_LEFT_ALONE"]],
    );
    for (const error of errors) assert.equal(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds, 60n);
  });

  it("gives way to the next model at once, and its connections are closed", async () => {
    await using mute = await muteServer();
    await using fake = await fakeProvider(saying("second"), saying("second"));
    const providers = [provider("a", mute.url), provider("b", fake.url)];
    await using models = modelsWith(providers[0] as ProviderConfig, { providers, breaker, fallbacks: ["b/m"] });
    assert.deepEqual([await said(models, "a/m"), await said(models, "a/m")], ["second", "second"]);
    await mute.left();
    assert.match(models.log(), /"model":"a\/m","next":"b\/m"/);
  });
});

describe("the fallbacks of models (TURN-64)", () => {
  for (const [what, status] of [
    ["is down", 503],
    ["has no quota left", 429],
  ] as const)
    it(`answer in the place of one that ${what}, in their order`, async () => {
      await using fake = await fakeProvider(reject(status), reject(status), saying("second"));
      const fallbacks = ["a/first", "a/second"];
      await using models = modelsWith(provider("a", fake.url), { ...ONCE, fallbacks });
      assert.equal(await said(models, "a/other"), "second");
      assert.deepEqual(
        fake.requests.map(({ body }) => (body as { model: string }).model),
        ["other", "first", "second"],
      );
      assert.match(models.log(), /"model":"a\/other","next":"a\/first"/);
    });

  it("are those after it for a model of the list, and none for what is wrong with the request", async () => {
    await using fake = await fakeProvider(reject(503), saying("second"), reject(400));
    await using models = modelsWith(provider("a", fake.url), { ...ONCE, fallbacks: ["a/zero", "a/first", "a/second"] });
    assert.equal(await said(models, "a/first"), "second");
    assert.equal(await said(models, "a/first"), "InvalidArgument");
  });

  it("must be models of configured providers", () => {
    const file = { fallbacks: ["nobody/model"], providers: { a: { type: "openai", apiKey: "k" } } };
    assert.throws(
      () => modelsConfigFrom({ environment: {}, file }),
      /models\.fallbacks\.0: 'nobody\/model' is no model/,
    );
  });
});
