import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import type { Clock } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { type ConnectError, invalidArgument, resourceExhausted, unavailable } from "#status";
import { waitForModels } from "./wait-for-models.ts";

const REQUEST: ModelRequest = { system: "", messages: [], tools: [] };
const TEXT: StreamPart = { kind: "text-delta", text: "Yes." };
const MOST_MS = 1_000;

const away = (retryMs?: number) => unavailable("away", { ...INFO, ...(retryMs !== undefined && { retryMs }) });
const busy = (retryMs: number) => resourceExhausted("busy", { ...INFO, retryMs });
const INFO = { reason: "MODEL_CALL_FAILED", metadata: {} };

type Answer = ConnectError | "answers" | "breaks off";

/** A model that does one after the other of what it is given, then answers; the times at which it was called, by a clock that only `tick` moves. */
function modelThat(...answers: readonly Answer[]) {
  let now = 0;
  const left = [...answers];
  const calls: number[] = [];
  const model: LanguageModel = {
    label: "test/model",
    capabilities: LLM_CAPABILITIES,
    async *stream() {
      calls.push(now);
      const answer = left.shift() ?? "answers";
      if (typeof answer !== "string") throw answer;
      yield TEXT;
      if (answer === "breaks off") throw away(20);
    },
  };
  const clock: Clock = { now: () => now };
  const models = waitForModels({ resolve: () => model }, { clock, logger: pino({ level: "silent" }), mostMs: MOST_MS });
  const ask = (signal = new AbortController().signal) =>
    Array.fromAsync(models.resolve("any").stream(REQUEST, { signal }));
  return { ask, calls, tick: (ms: number) => (now += ms), models };
}

describe("models that are waited for (EVAL-93)", () => {
  it("are called again when they have answered before and cannot be reached for a while", async () => {
    const { ask, calls } = modelThat("answers", away(20));
    await ask();
    assert.deepEqual(await ask(), [TEXT]);
    assert.equal(calls.length, 3);
  });

  it("are called again when their quota will be there again, although they never answered", async () => {
    const { ask, calls } = modelThat(busy(20));
    assert.deepEqual(await ask(), [TEXT]);
    assert.equal(calls.length, 2);
  });

  for (const [name, error] of [
    ["never answered and cannot be reached", away(20)],
    ["do not say that it passes", resourceExhausted("nothing left", INFO)],
    ["ask for longer than is waited", busy(MOST_MS + 1)],
    ["refuse the request", invalidArgument({ field: "", description: "wrong" })],
  ] as const)
    it(`fail at once when they ${name}`, async () => {
      const { ask, calls } = modelThat(error);
      await assert.rejects(ask(), error);
      assert.equal(calls.length, 1);
    });

  it("fail when they break off: the caller has parts that cannot be taken back", async () => {
    const { ask, calls } = modelThat("breaks off");
    await assert.rejects(ask(), /away/);
    assert.equal(calls.length, 1);
  });

  it("fail at once when they are away for too long, and are waited for again in a later outage", async () => {
    const error = away(20);
    const { ask, calls, tick } = modelThat("answers", error, error, error, error);
    await ask();
    const asking = ask();
    do await nextTurn();
    while (calls.length < 2);
    tick(MOST_MS);
    await assert.rejects(asking, error);
    await assert.rejects(ask(), error, "others do not begin to wait");
    assert.equal(calls.length, 4);
    tick(MOST_MS + 1);
    assert.deepEqual(await ask(), [TEXT]);
    assert.equal(calls.length, 6);
  });

  it("are not waited for when their caller stops", async () => {
    const { ask, calls } = modelThat(busy(900));
    const stop = new AbortController();
    const asking = ask(stop.signal);
    do await nextTurn();
    while (calls.length < 1);
    stop.abort(new Error("stopped"));
    await assert.rejects(asking, /stopped/);
    assert.equal(calls.length, 1);
  });

  it("are the same object each time they are resolved", () => {
    const { models } = modelThat();
    assert.equal(models.resolve("a"), models.resolve("b"));
  });
});
