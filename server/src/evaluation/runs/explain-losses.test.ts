import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { EvaluationResultSchema } from "@frontdesk/protos/ces/evaluation";
import { pino } from "pino";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { unavailable } from "#status";
import { explainedLosses } from "./explain-losses.ts";

const EVALUATION = "projects/p/locations/us/apps/shop/evaluations/e1";

/** A failed result whose one turn lacks a call, and one that passed. */
const RESULTS = [
  {
    name: `${EVALUATION}/results/r1`,
    displayName: "Order status",
    evaluationStatus: "FAIL",
    goldenResult: {
      turnReplayResults: [
        {
          expectationOutcome: [
            { outcome: "FAIL", expectation: { toolCall: { displayName: "look_up", args: { id: "A-1" } } } },
          ],
        },
      ],
    },
  },
  { name: `${EVALUATION}/results/r2`, evaluationStatus: "PASS", goldenResult: {} },
].map((result) => fromJson(EvaluationResultSchema, result as JsonValue));

const COUNTED = {
  lossReport: { losses: [{ cause: "missing tool call", count: 1, evaluations: [EVALUATION] }] },
  reportSummary: "1 of 2 results failed: missing tool call (1).",
};

/** What comes of the results with a model that answers so, what the model was shown, and the levels of what was logged. */
async function explained(answer: string | Error, instructionFollowing = true) {
  const shown: string[] = [];
  const levels: number[] = [];
  const model: LanguageModel = {
    label: "test/losses",
    capabilities: { ...LLM_CAPABILITIES, safetySettings: true, instructionFollowing },
    async *stream({ messages }) {
      shown.push(JSON.stringify(messages));
      if (answer instanceof Error) throw answer;
      yield { kind: "text-delta", text: answer };
      yield { kind: "finish", reason: "stop", rawReason: "stop", usage: {} };
    },
  };
  const logger = pino({}, { write: (line: string) => levels.push(JSON.parse(line).level) });
  const deps = { models: { resolve: () => model }, judgeModel: "", logger };
  const report = await explainedLosses(RESULTS, deps, new AbortController().signal);
  return { report, shown: shown.join(), levels };
}

describe("a loss report (EVAL-76)", () => {
  it("has a model's summary and explanations of the causes that there are", async () => {
    const causes = [
      { cause: "missing tool call", explanation: "The agent guesses the status." },
      { cause: "an invented cause", explanation: "No." },
    ];
    const { report, shown, levels } = await explained(JSON.stringify({ summary: "Look at look_up.", causes }));
    const [loss] = COUNTED.lossReport.losses;
    assert.deepEqual(report, {
      lossReport: { losses: [{ ...loss, explanation: "The agent guesses the status." }] },
      reportSummary: "Look at look_up.",
    });
    assert.match(shown, /Cause: missing tool call \(1\)/);
    assert.match(shown, /Order status: turn 1: tool call look_up; expected look_up\(/);
    assert.deepEqual(levels, []);
  });

  it("counts without a model that follows instructions, and asks none", async () => {
    assert.deepEqual(await explained("{}", false), { report: COUNTED, shown: "", levels: [] });
  });

  const FAILURES: readonly (readonly [answer: string | Error, level: number])[] = [
    ["nonsense", 40],
    ['{"summary": " ", "causes": []}', 40],
    [unavailable("The provider is down."), 40],
    [new TypeError("a fault"), 50],
  ];
  for (const [answer, level] of FAILURES)
    it(`counts when the model answers "${answer}", and logs that at ${level}`, async () => {
      const { report, levels } = await explained(answer);
      assert.deepEqual([report, levels], [COUNTED, [level]]);
    });
});
