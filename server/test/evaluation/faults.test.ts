import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ImportEvaluationsRequestSchema } from "@frontdesk/protos/ces/evaluation_service";
import { pino } from "pino";
import { systemIds } from "#base";
import { createModelJudge } from "#evaluation";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { resourceExhausted, unavailable } from "#status";
import { modelsOf, startTestServer } from "#testing";
import { type ImportCallDeps, importEvaluations } from "../../src/evaluation/transfer/import-evaluations.ts";
import { finished, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/fault-app";

/** A logger, and the lines that it was given. */
function keptLog() {
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const logger = pino({ level: "warn", base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { logger, lines };
}

/** A model that fails, in the server or by its provider. */
function failing(error: Error): LanguageModel {
  return {
    label: "test/failing",
    capabilities: { ...LLM_CAPABILITIES, safetySettings: true },
    // biome-ignore lint/correctness/useYield: it fails before it yields
    async *stream() {
      throw error;
    },
  };
}

const FAULT = new TypeError("a fault of this server");
const AWAY = resourceExhausted("The provider's quota is used up.");

const INPUTS = {
  golden: { golden: { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] } },
  scenario: { scenario: { task: "Say hello.", rubrics: ["It is polite."] } },
};

/** Runs evaluations with a model that fails, and returns their results and the log. */
async function runWith(error: Error, inputsOf: Readonly<Record<string, object>> = INPUTS) {
  const { results, errors } = await runOf(failing(error), inputsOf);
  return { messages: results.map(({ errorInfo }) => errorInfo.errorMessage), errors };
}

/** Runs evaluations, and returns the run, its results and the errors of the log. */
async function runOf(model: LanguageModel, inputsOf: Readonly<Record<string, object>>) {
  const { logger, lines } = keptLog();
  await using server = await startTestServer({ model, logger });
  const rest = restOf(() => server);
  await rest("POST", "projects/local/locations/us/apps?appId=fault-app", { displayName: "Faults" });
  await rest("POST", `${APP}/agents?agentId=only-agent`, { displayName: "Only", instruction: "Answer." });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/only-agent` });
  const evaluations: string[] = [];
  for (const [displayName, inputs] of Object.entries(inputsOf))
    evaluations.push((await rest("POST", `${APP}/evaluations`, { displayName, ...inputs })).name);
  const operation = await finished(rest, await rest("POST", `${APP}:runEvaluation`, { evaluations, runCount: 1 }));
  const run = await rest("GET", operation.response.evaluationRun);
  const results = await Promise.all(run.evaluationResults.map((name: string) => rest("GET", name)));
  return { run, results, errors: lines.filter(({ level }) => level >= 50) };
}

test("a fault of the server is not measured, and the log says what it was", async () => {
  const { messages, errors } = await runWith(FAULT);
  for (const message of messages) assert.match(message, /Internal error\. The server's log has the details/);
  const logged = new Set(errors.map(({ msg, err }) => `${msg}: ${err?.message}`));
  assert.deepEqual([...logged].sort(), [
    "a simulated user could not be asked: a fault of this server",
    "a turn of an evaluation failed: a fault of this server",
  ]);
});

test("a provider that is away is not measured, says why, and is no fault", async () => {
  const { messages, errors } = await runWith(AWAY);
  for (const message of messages) assert.match(message, /The provider's quota is used up/);
  assert.deepEqual(errors, []);
});

test("a provider that is away for a moment in the middle of a run is waited for (EVAL-93)", async () => {
  const error = unavailable("The provider restarts.", { reason: "MODEL_CALL_FAILED", retryMs: 20 });
  let answered = false;
  let failures = 0;
  const model: LanguageModel = {
    label: "test/restarting",
    capabilities: { ...LLM_CAPABILITIES, safetySettings: true },
    async *stream() {
      if (answered && failures++ < 3) throw error;
      yield { kind: "text-delta", text: "Hello." };
      yield { kind: "finish", reason: "stop", rawReason: "stop", usage: {} };
      answered = true;
    },
  };
  const steps = [
    { userInput: { text: "Hello" } },
    { expectation: { agentResponse: { role: "Only", chunks: [{ text: "Hello." }] } } },
  ];
  const golden = { golden: { turns: [{ steps }, { steps }] } };
  const { run } = await runOf(model, { First: golden, Second: golden, Third: golden });
  assert.ok(failures >= 3, "it was away");
  assert.deepEqual(run.progress, { totalCount: 3, completedCount: 3, passedCount: 3 });
});

for (const [error, level] of [
  [FAULT, 50],
  [AWAY, 40],
] as const)
  test(`a judge that cannot be asked because of "${error.message}" is logged at ${level}`, async () => {
    const { logger, lines } = keptLog();
    const blobs = { get: async () => undefined, put: async () => {} };
    const judge = createModelJudge({ models: modelsOf(failing(error)), model: "", blobs, logger });
    const question = { metric: "rubric", rubric: "?", material: "", scale: new Map([[1, "yes"]]) } as const;
    const judgement = await judge.ask(question, new AbortController().signal);
    assert.equal(judgement.kind, "not-measured");
    assert.deepEqual(
      lines.map((line) => [line.level, line.msg]),
      [[level, "a judge could not be asked"]],
    );
  });

test("an entry of an import that the server cannot write is an error message, and the log says why", async () => {
  const { logger, lines } = keptLog();
  const resources = {
    read: async () => ({ evaluations: [] }),
    runs: async () => [],
    create: async () => {
      throw FAULT;
    },
    conversation: async () => {
      throw FAULT;
    },
  };
  const deps = { resources, ids: systemIds, logger, author: "" } as unknown as ImportCallDeps;
  const importFrom = (source: object) =>
    importEvaluations(
      create(ImportEvaluationsRequestSchema, { parent: APP, source } as never),
      deps,
      new AbortController().signal,
    );
  const content = Buffer.from('{"evaluations": [{"displayName": "A", "golden": {}}]}');
  const written = await importFrom({ case: "csvContent", value: content });
  const conversations = [`${APP}/conversations/a-talk`];
  const generated = await importFrom({ case: "conversationList", value: { conversations } });
  assert.match(written.errorMessages[0] ?? "", /evaluations\[0\]: Internal error/);
  assert.match(generated.errorMessages[0] ?? "", /a-talk: Internal error/);
  assert.deepEqual(
    lines.map(({ level, msg, err }) => [level, msg, err?.message]),
    [
      [50, "an entry of an import could not be written", FAULT.message],
      [50, "a conversation could not be imported as an evaluation", FAULT.message],
    ],
  );
});

test("a golden with a step that says nothing is not measured, and says which: a misspelt field would check nothing (EVAL-95)", async () => {
  const said = { userInput: { text: "Hello" } };
  const golden = (...steps: readonly object[]) => ({
    golden: { turns: [{ steps: [said] }, { steps: [said, ...steps] }] },
  });
  const { messages } = await runWith(AWAY, {
    "An expectation": golden({ expectation: { note: "It greets." } }),
    "A step": golden({}),
    "Set aside": golden({ expectation: { skipEvaluation: true } }),
  });
  const [expectation, step, skipped] = messages;
  assert.match(
    expectation,
    /^golden\.turns\[1\]\.steps\[1\] expects nothing: none of tool_call, .* Correct the name of its field/,
  );
  assert.match(step, /^golden\.turns\[1\]\.steps\[1\] has no user_input, agent_transfer or expectation\./);
  assert.match(skipped, /The provider's quota is used up/);
});

test("a golden without turns is not measured: nothing would be checked", async () => {
  const { messages } = await runWith(AWAY, { Empty: { golden: { turns: [] } } });
  assert.deepEqual(messages, ["The golden of evaluation 'Empty' has no turns, so there is nothing to check. Add one."]);
});
