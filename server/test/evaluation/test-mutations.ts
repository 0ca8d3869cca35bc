import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fromJson, toJson } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { type Conversation, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import {
  type Evaluation,
  EvaluationResult_GoldenResultSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { Message } from "@frontdesk/protos/ces/example";
import { startTestServer, type TestServer } from "#testing";
import { goldenTurns } from "../../src/evaluation/golden/golden-turns.ts";
import { scoreGolden } from "../../src/evaluation/golden/score-golden.ts";
import { observeTurn } from "../../src/evaluation/observation/observed-turn.ts";
import { mulberry32 } from "../../src/evaluation/statistics/bootstrap.ts";
import { createTurnApp } from "../conformance/turn-app.ts";
import { finished, type Rest, restOf } from "../rest.ts";
import { failedMetrics } from "./failed-metrics.ts";
import { DialogueModel, GENERATED_APP, type GeneratedDialogue, generateDialogue } from "./generated-dialogues.ts";
import { MUTATIONS } from "./mutations.ts";

/** A judge that finds any two different texts largely inconsistent. */
const STERN_JUDGE = {
  ask: async () => ({ kind: "measured", score: 1, label: "", explanation: "It says something else." }) as const,
};

/** A recorded dialogue and the golden that was generated from it. */
interface Recorded {
  readonly dialogue: GeneratedDialogue;
  readonly conversation: Conversation;
  readonly evaluation: Evaluation;
}

/** Holds a dialogue over the API, and has a golden made from it. */
async function record(rest: Rest, app: string, dialogue: GeneratedDialogue, id: string): Promise<Recorded> {
  const session = `${app}/sessions/${id}`;
  for (const { user } of dialogue.turns)
    await rest("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: user }] });
  const name = `${app}/conversations/${id}`;
  const { response } = await finished(rest, await rest("POST", `${name}:generateEvaluation`, {}));
  const { "@type": _, ...evaluation } = response;
  return {
    dialogue,
    conversation: fromJson(ConversationSchema, await rest("GET", name)),
    evaluation: fromJson(EvaluationSchema, evaluation),
  };
}

/** Scores a golden over its own conversation, of which one turn is changed. */
async function scoreChanged(
  { dialogue, conversation, evaluation }: Recorded,
  change: (messages: readonly Message[]) => readonly Message[],
) {
  assert.ok(evaluation.inputs.case === "golden");
  const golden = evaluation.inputs.value;
  const turns = goldenTurns(golden).map((turn, position) => {
    const { messages = [], rootSpan } = conversation.turns[position] ?? {};
    assert.ok(rootSpan);
    const observed = observeTurn(conversation.name, position === dialogue.full ? change(messages) : messages, rootSpan);
    return { golden: turn, outcome: { kind: "observed", turn: observed, ended: false } as const };
  });
  const app = fromJson(AppSchema, {});
  const signal = new AbortController().signal;
  const snapshot = { snapshot: { guardrails: [] } };
  const evaluationCase = { evaluation, app, snapshot, signal, expectations: new Map() } as unknown as Parameters<
    typeof scoreGolden
  >[2];
  const { verdict, result } = await scoreGolden(golden, turns, evaluationCase, { judge: STERN_JUDGE });
  const { turnReplayResults = [] } = toJson(EvaluationResult_GoldenResultSchema, result) as {
    turnReplayResults?: object[];
  };
  return { verdict, failed: turnReplayResults.map(failedMetrics) };
}

/** Tests the goldens that are made of so many recorded conversations. */
export function testMutations(count: number): void {
  describe(`goldens of ${count} recorded conversations`, () => {
    const model = new DialogueModel();
    let server: TestServer;
    let rest: Rest;
    let app: string;
    let recorded: readonly Recorded[];

    before(async () => {
      server = await startTestServer({ model });
      rest = restOf(() => server);
      app = await createTurnApp(server.address, "generated-app", GENERATED_APP);
      const random = mulberry32(20);
      const dialogues = Array.from({ length: count }, (_, number) => generateDialogue(`d${number}`, random));
      for (const { user, steps } of dialogues.flatMap(({ turns }) => turns)) model.steps.set(user, steps);
      recorded = await Promise.all(
        dialogues.map((dialogue, number) => record(rest, app, dialogue, `dialogue-${number}`)),
      );
    });
    after(() => server[Symbol.asyncDispose]());

    /** Runs goldens on the server and returns the results in their order. */
    async function run(cases: readonly Recorded[], goldenRunMethod: string) {
      const evaluations = cases.map(({ evaluation }) => evaluation.name);
      const { error, response } = await finished(
        rest,
        await rest("POST", `${app}:runEvaluation`, { evaluations, goldenRunMethod }),
      );
      assert.equal(error, undefined);
      const { evaluationResults } = await rest("GET", response.evaluationRun);
      return Promise.all(evaluationResults.map((name: string) => rest("GET", name)));
    }

    for (const method of ["STABLE", "NAIVE"]) {
      it(`pass when the app runs again: ${method}`, async () => {
        const results = await run(recorded, method);
        const failed = results.filter(({ evaluationStatus }) => evaluationStatus !== "PASS");
        assert.equal(results.length, count);
        assert.deepEqual(failed, []);
      });
    }

    for (const { name, mutate, fails } of MUTATIONS) {
      it(`find a fault by its metric and by no other, all of them: ${name} (EVAL-70)`, async () => {
        for (const one of recorded) {
          const { verdict, failed } = await scoreChanged(one, mutate);
          const expected = one.dialogue.turns.map((_, position) => (position === one.dialogue.full ? fails : []));
          assert.deepEqual({ verdict, failed }, { verdict: "failed", failed: expected }, one.evaluation.displayName);
        }
      });
    }
  });
}
