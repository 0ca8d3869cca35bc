import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { startTestServer } from "#testing";
import { finished, type Rest, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/corner-cafe";

/** A model that counts its calls and answers with their number. */
function counting(): LanguageModel & { calls: number } {
  return {
    label: "test/counting",
    capabilities: { ...LLM_CAPABILITIES, safetySettings: true },
    calls: 0,
    async *stream() {
      this.calls += 1;
      yield { kind: "text-delta", text: `Answer ${this.calls}.` };
      yield { kind: "finish", reason: "stop", rawReason: "stop", usage: {} };
    },
  };
}

const TURNS = ["Hello", "When do you open?", "Thank you"].map((text) => ({ steps: [{ userInput: { text } }] }));

const HELP = { steps: [{ userInput: { text: "Help!" } }] };

async function createCafe(rest: Rest): Promise<void> {
  await rest("POST", "projects/local/locations/us/apps?appId=corner-cafe", { displayName: "Cafe" });
  await rest("POST", `${APP}/agents?agentId=host-agent`, { displayName: "Host", instruction: "Answer briefly." });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/host-agent` });
  await rest("POST", `${APP}/evaluations?evaluationId=talk-case`, { displayName: "Talk", golden: { turns: TURNS } });
}

async function run(rest: Rest, options: object = {}): Promise<void> {
  const evaluations = [`${APP}/evaluations/talk-case`];
  const body = { evaluations, goldenRunMethod: "NAIVE", ...options };
  const operation = await finished(rest, await rest("POST", `${APP}:runEvaluation`, body));
  assert.equal(operation.error, undefined);
}

const SKIP = { evaluationRunCachingSettings: { runCachingMode: "SKIP_IF_UNCHANGED" } };

test("a run again with nothing changed asks no model, and with FORCE_RUN asks for everything", async () => {
  const model = counting();
  await using server = await startTestServer({ model });
  const rest = restOf(() => server);
  await createCafe(rest);

  await run(rest);
  assert.equal(model.calls, 3);
  await run(rest, SKIP);
  assert.equal(model.calls, 3);
  await run(rest);
  assert.equal(model.calls, 6);
});

test("a run after a change asks for what follows the first difference", async () => {
  const model = counting();
  await using server = await startTestServer({ model });
  const rest = restOf(() => server);
  await createCafe(rest);
  await run(rest);
  const turns = TURNS.with(1, { steps: [{ userInput: { text: "When do you close?" } }] });
  await rest("PATCH", `${APP}/evaluations/talk-case?updateMask=golden`, { golden: { turns } });

  await run(rest, SKIP);

  assert.equal(model.calls, 3 + 2);
});

test("repeats of one run are samples of their own, and each finds its answers in the next", async () => {
  const model = counting();
  await using server = await startTestServer({ model });
  const rest = restOf(() => server);
  await createCafe(rest);

  await run(rest, { ...SKIP, runCount: 2 });
  assert.equal(model.calls, 6);
  await run(rest, { ...SKIP, runCount: 3 });

  assert.equal(model.calls, 9);
});

test("a run that goes on after a stop gets kept answers as it was asked to (EVAL-104)", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-kept-answers-"));
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const config = { evaluation: { judge: "", user: "", concurrency: 1 }, drainMs: 0 };
  const waiting = counting();
  const asked = Promise.withResolvers<void>();
  const { stream } = waiting;
  let operation: { name: string };
  {
    await using server = await startTestServer({ model: waiting, dataDir, config });
    const rest = restOf(() => server);
    await createCafe(rest);
    await run(rest);
    await rest("POST", `${APP}/evaluations?evaluationId=first-case`, {
      displayName: "First",
      golden: { turns: [HELP] },
    });
    waiting.stream = async function* (request, options) {
      asked.resolve();
      await once(options.signal, "abort");
      options.signal.throwIfAborted();
      yield* stream.call(waiting, request, options);
    };
    const evaluations = [`${APP}/evaluations/first-case`, `${APP}/evaluations/talk-case`];
    operation = await rest("POST", `${APP}:runEvaluation`, { evaluations, goldenRunMethod: "NAIVE", ...SKIP });
    await asked.promise;
  }
  const model = counting();
  await using server = await startTestServer({ model, dataDir, config });
  const rest = restOf(() => server);

  const ended = await finished(rest, operation);

  assert.equal(ended.error, undefined);
  assert.equal((await rest("GET", ended.response.evaluationRun)).progress.completedCount, 2);
  assert.equal(model.calls, 1, "only the case that was never answered asks");
});
