import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer } from "#testing";
import { createTurnApp } from "../conformance/turn-app.ts";
import { finished, type Rest, restOf } from "../rest.ts";
import { tone } from "../voice/fake-provider.ts";
import { startHttpSpeech } from "../voice/http-speech-server.ts";
import { DialogueModel } from "./generated-dialogues.ts";

/** What the recognizer understands of each text, which it tells apart by the length of the sound. */
const UNDERSTOOD: Readonly<Record<string, string>> = {
  "Where is it?": "where is it",
  "And when?": "",
  "Here.": "here",
  "There.": "they are, semantic-similarity 2",
  "मीठी, semantic-similarity 2": "मीठा, semantic-similarity 2",
};
const SAMPLES_PER_CHARACTER = 640;

const PERSONA = { name: "grumpy", displayName: "Grumpy", personality: "Short.", speechConfig: { voiceId: "Charon" } };

/** A server whose agent answers `where is it` as `says` has it, with speech providers or without. */
async function open(withProviders = true) {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(
    await startHttpSpeech(({ length }) => {
      const characters = Math.round(length / SAMPLES_PER_CHARACTER);
      return Object.entries(UNDERSTOOD).find(([text]) => text.length === characters)?.[1] ?? "";
    }),
  );
  const access = { type: "openai", baseUrl: `${provider.baseUrl}/v1`, apiKey: "test-key", model: "m" } as const;
  const speak = { ...access, voice: "alloy", voices: { Charon: "onyx" } };
  const providers = withProviders ? { listen: access, speak } : {};
  const model = new DialogueModel();
  const server = opened.use(await startTestServer({ model, config: { voice: { providers } } }));
  const app = await createTurnApp(server.address, "spoken-app", {
    agents: { Host: {} },
    app: { evaluationPersonas: [PERSONA] },
  });
  const rest = restOf(() => server);
  const owned = opened.move();
  return { provider, rest, app, model, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

type Opened = Awaited<ReturnType<typeof open>>;

const CHANNEL = (semanticSimilarityChannel: string) => ({
  turnLevelMetricsThresholdsOverride: { semanticSimilarityChannel },
});

let goldens = 0;

/** A golden of one turn: the user's input, what the agent says and is expected to say, and which channel is compared. */
async function runGolden({ rest, app, model }: Opened, input: object, text: string, compared: string, channel: string) {
  model.steps.set("where is it", [{ say: text }]).set("Where is it?", [{ say: text }]);
  const expectation = { agentResponse: { role: "agent", chunks: [{ text }] } };
  const turn = { steps: [{ userInput: input }, { expectation }], ...CHANNEL(compared) };
  goldens += 1;
  const displayName = `Golden ${goldens}`;
  const { name } = await rest("POST", `${app}/evaluations`, { displayName, golden: { turns: [turn] } });
  return resultOf(rest, app, { evaluations: [name], config: { evaluationChannel: channel } });
}

async function resultOf(rest: Rest, app: string, request: object) {
  const operation = await finished(rest, await rest("POST", `${app}:runEvaluation`, request));
  assert.equal(operation.error, undefined);
  const { evaluationResults } = await rest("GET", operation.response.evaluationRun);
  return rest("GET", evaluationResults[0]);
}

describe("evaluations by voice (EVAL-49)", () => {
  let opened: Opened;
  before(async () => {
    opened = await open();
  });
  after(() => opened[Symbol.asyncDispose]());

  const TEXT = { text: "Where is it?" };
  const SOUND = { audio: tone("Where is it?", 16_000).toString("base64") };
  const RUNS: readonly (readonly [
    name: string,
    run: readonly [input: object, text: string, compared: string, channel: string],
    status: string,
    similarity: object,
  ])[] = [
    ["what is heard is compared, by its words", [TEXT, "Here.", "AUDIO", "AUDIO"], "PASS", { score: 4 }],
    ["what is heard otherwise fails", [TEXT, "There.", "AUDIO", "AUDIO"], "FAIL", { score: 2 }],
    ["a vowel sign tells words apart", [TEXT, "मीठी, semantic-similarity 2", "AUDIO", "AUDIO"], "FAIL", { score: 2 }],
    ["what is said is compared by default", [TEXT, "There.", "TEXT", "AUDIO"], "PASS", { score: 4 }],
    ["sound is not compared in a turn by text", [TEXT, "Here.", "AUDIO", "TEXT"], "SKIPPED", { outcome: "SKIPPED" }],
    ["a golden's sound is recognised", [SOUND, "Here.", "AUDIO", "AUDIO"], "PASS", { score: 4 }],
    ["a golden's sound is recognised in a run by text", [SOUND, "Here.", "TEXT", "TEXT"], "PASS", { score: 4 }],
  ];
  for (const [name, run, status, similarity] of RUNS)
    it(`${name}: ${status}`, async () => {
      const result = await runGolden(opened, ...run);
      assert.equal(result.evaluationStatus, status, JSON.stringify(result));
      assert.partialDeepStrictEqual(result.goldenResult.turnReplayResults[0].semanticSimilarityResult, similarity);
    });

  it("keep what was heard, so that a result can be scored again", async () => {
    const { rest } = opened;
    const { name, goldenResult } = await runGolden(opened, TEXT, "There.", "AUDIO", "AUDIO");
    const { turns, channelType } = await rest("GET", goldenResult.turnReplayResults[0].conversation);
    assert.equal(channelType, "AUDIO");
    assert.equal(turns[0].messages[0].chunks[0].transcript, "where is it");

    const operation = await finished(rest, await rest("POST", `${name}:runEvaluationResultMetrics`, {}));

    assert.equal(operation.response.status, "FAIL");
  });

  it("are not measured when nothing is understood, or a provider is away", async () => {
    const unheard = await runGolden(opened, { text: "And when?" }, "Here.", "AUDIO", "AUDIO");
    opened.provider.broken = true;
    const away = await runGolden(opened, TEXT, "Here.", "AUDIO", "AUDIO");
    opened.provider.broken = false;
    assert.deepEqual([unheard.evaluationStatus, away.evaluationStatus], ["SKIPPED", "SKIPPED"]);
    assert.match(unheard.errorInfo.errorMessage, /speech to text found no words/);
    assert.match(away.errorInfo.errorMessage, /openai/i);
  });

  it("let a persona speak with its voice", async () => {
    const { rest, app, provider, model } = opened;
    model.steps.set("where is it", [{ say: "Here." }]);
    const milestones = [{ goal: "Find out where it is.", staticUtterance: "Where is it?" }];
    const scenario = { task: "Find it.", rubrics: ["It is polite."], milestones };
    const { name } = await rest("POST", `${app}/evaluations`, { displayName: "Persona", scenario });
    provider.calls.length = 0;

    const request = {
      personaRunConfigs: [{ persona: "Grumpy", taskCount: 1 }],
      config: { evaluationChannel: "AUDIO" },
    };
    const result = await resultOf(rest, app, { evaluations: [name], ...request });

    assert.equal(result.evaluationStatus, "PASS", JSON.stringify(result));
    const spoken = provider.calls.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    assert.deepEqual(
      spoken.map(({ input, voice }) => [input, voice]),
      [
        ["Where is it?", "onyx"],
        ["Here.", "alloy"],
      ],
    );
  });
});

it("a run by voice is refused without providers, with the setting", async () => {
  await using silent = await open(false);
  const { name } = await silent.rest("POST", `${silent.app}/evaluations`, { displayName: "A", golden: { turns: [] } });
  const request = { evaluations: [name], config: { evaluationChannel: "AUDIO" } };
  await assert.rejects(silent.rest("POST", `${silent.app}:runEvaluation`, request), (error: Error) => {
    return /FAILED_PRECONDITION/.test(error.message) && /Set speech\.speak in the configuration/.test(error.message);
  });
});
