import assert from "node:assert/strict";
import { describe, it } from "node:test";
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
    const breaker = { failures: 2, openMs: 1_000 };
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

  it("is not what a model is that refuses a request", async () => {
    await using fake = await fakeProvider(reject(400), reject(400), reject(400), saying("fine"));
    await using models = modelsWith(provider("a", fake.url), { ...ONCE, breaker: { failures: 2, openMs: 1_000 } });
    for (let call = 0; call < 3; call += 1) assert.equal(await said(models, "a/m"), "InvalidArgument");
    assert.equal(await said(models, "a/m"), "fine");
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
