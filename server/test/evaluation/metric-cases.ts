import type { GeneratedCall, Step } from "./generated-dialogues.ts";

/** A golden of one turn, what the app does in it, and what must come of it. */
export interface MetricCase {
  readonly name: string;
  /** What the model answers. */
  readonly does: readonly Step[];
  /** Expectations of the golden. `$APP` is the app's name. */
  readonly expects: readonly object[];
  /** More fields of the turn, the golden, the evaluation and the app. */
  readonly turn?: object;
  readonly golden?: object;
  readonly evaluation?: object;
  readonly app?: object;
  readonly status: "PASS" | "FAIL" | "SKIPPED";
  /** The metrics that fail. */
  readonly failed?: readonly string[];
  /** Fields of the turn's result. */
  readonly has?: object;
}

/** A call of a tool that finds orders. */
export const find = (args: GeneratedCall["args"] = {}): GeneratedCall => ({ name: "find_order", args });
const price = (args: GeneratedCall["args"] = {}): GeneratedCall => ({ name: "price_of", args });
const book: GeneratedCall = { name: "book_table", args: {} };
const note: GeneratedCall = { name: "send_note", args: {} };

/** The calls one after the other, then a text. */
export const calls = (...made: readonly GeneratedCall[]): readonly Step[] => [
  ...made.map((call) => ({ calls: [call] })),
  { say: "Done." },
];

const tool = (name: string) => `$APP/tools/the-${name.replaceAll("_", "-")}`;
export const expectCall = ({ name, args }: GeneratedCall, more: object = {}): object => ({
  toolCall: { tool: tool(name), args },
  ...more,
});
export const expectText = (text: string, more: object = {}): object => ({
  agentResponse: { role: "agent", chunks: [{ text }] },
  ...more,
});
const DONE = expectText("Done.");
const expectCalls = (...expected: readonly GeneratedCall[]) => [...expected.map((call) => expectCall(call)), DONE];

/** Both sides of a threshold, or of anything that can be met and missed. */
type Sides = Omit<MetricCase, "status" | "does" | "failed"> & {
  readonly meets: readonly Step[];
  readonly misses: readonly Step[];
  readonly failed: readonly string[];
};

function bothSides({ name, meets, misses, failed, ...rest }: Sides): readonly MetricCase[] {
  return [
    { name: `${name}: met`, does: meets, status: "PASS", ...rest },
    { name: `${name}: missed`, does: misses, status: "FAIL", failed, ...rest },
  ];
}

const UNLIKE = { failed: ["agent response", "similarity"] };
const judgedAs = (score: number): readonly Step[] => [{ say: `Something else, semantic-similarity ${score}.` }];
const turnLevel = (thresholds: object) => ({ turnLevelMetricsThresholdsOverride: thresholds });
const golden = (thresholds: object) => ({ goldenEvaluationMetricsThresholds: thresholds });
const ofEvaluation = (thresholds: object) => ({ evaluationMetricsThresholdOverride: golden(thresholds) });
const ofApp = (thresholds: object) => ({ evaluationMetricsThresholds: golden(thresholds) });

type Levels = Pick<MetricCase, "turn" | "evaluation" | "app">;

/** Each level at which turn-level thresholds can be set, alone and above what it overrides. */
function turnLevels(field: string, own: number, overridden: number): readonly (readonly [string, Levels])[] {
  const [mine, other] = [{ [field]: own }, { [field]: overridden }];
  const inGolden = (thresholds: object) => ({ turnLevelMetricsThresholds: thresholds });
  return [
    ["app", { app: ofApp(inGolden(mine)) }],
    ["evaluation", { evaluation: ofEvaluation(inGolden(mine)) }],
    ["evaluation over app", { evaluation: ofEvaluation(inGolden(mine)), app: ofApp(inGolden(other)) }],
    ["turn", { turn: turnLevel(mine) }],
    [
      "turn over evaluation and app",
      { turn: turnLevel(mine), evaluation: ofEvaluation(inGolden(other)), app: ofApp(inGolden(other)) },
    ],
  ];
}

const SIMILARITY: readonly MetricCase[] = [
  ...bothSides({
    name: "similarity, default threshold 3",
    expects: [DONE],
    meets: judgedAs(3),
    misses: judgedAs(2),
    failed: ["agent response", "similarity"],
  }),
  ...[0, 1, 2, 3, 4].flatMap((threshold) =>
    [threshold - 1, threshold].flatMap((score): readonly MetricCase[] => {
      if (score < 0) return [];
      const status = score >= threshold ? "PASS" : "FAIL";
      const turn = turnLevel({ semanticSimilaritySuccessThreshold: threshold });
      const name = `similarity ${score} of at least ${threshold}`;
      return [{ name, expects: [DONE], does: judgedAs(score), turn, status, ...(status === "FAIL" && UNLIKE) }];
    }),
  ),
  ...[4, 1].flatMap((threshold) =>
    turnLevels("semanticSimilaritySuccessThreshold", threshold, 5 - threshold).flatMap(([level, settings]) =>
      bothSides({
        name: `similarity threshold ${threshold} of the ${level}`,
        expects: [DONE],
        meets: judgedAs(threshold),
        misses: judgedAs(threshold - 1),
        failed: ["agent response", "similarity"],
        ...settings,
      }),
    ),
  ),
];

const TOOL_CALLS: readonly MetricCase[] = [
  ...bothSides({
    name: "tool calls, default threshold 1",
    expects: expectCalls(find(), price()),
    meets: calls(find(), price()),
    misses: calls(find()),
    failed: ["missing call"],
  }),
  ...turnLevels("overallToolInvocationCorrectnessThreshold", 0.8, 0.1).flatMap(([level, settings]) => {
    const all = [find({ count: 1 }), find({ count: 2 }), price(), book, note];
    return [
      {
        name: `tool calls, 4 of 5, threshold 0.8 of the ${level}`,
        expects: expectCalls(...all),
        does: calls(...all.slice(1)),
        status: "PASS" as const,
        failed: ["missing call"],
        ...settings,
      },
      {
        name: `tool calls, 3 of 5, threshold 0.8 of the ${level}`,
        expects: expectCalls(...all),
        does: calls(...all.slice(2)),
        status: "FAIL" as const,
        failed: ["missing call"],
        ...settings,
      },
    ];
  }),
  ...bothSides({
    name: "order, default threshold 1",
    expects: expectCalls(find(), price()),
    meets: calls(find(), price()),
    misses: calls(price(), find()),
    failed: ["order"],
  }),
  {
    name: "order: calls made at once have none",
    expects: expectCalls(find(), price()),
    does: [{ calls: [price(), find()] }, { say: "Done." }],
    status: "PASS",
  },
  {
    name: "order: half of the calls in order, threshold 0.5",
    expects: expectCalls(find(), price()),
    does: calls(price(), find()),
    turn: turnLevel({ overallToolInvocationCorrectnessThreshold: 0.5 }),
    status: "PASS",
  },
];

const parameterThreshold = (share: number) => ({ toolInvocationParameterCorrectnessThreshold: share });
const inGolden = (share: number) => ({ expectationLevelMetricsThresholds: parameterThreshold(share) });
const ofExpectation = (share: number) => ({ expectationLevelMetricsThresholdsOverride: parameterThreshold(share) });

/** Two of three parameters are right in what meets a threshold, one in what misses it. */
const PARAMETERS: readonly MetricCase[] = (
  [
    ["app", {}, { app: ofApp(inGolden(0.6)) }],
    ["evaluation", {}, { evaluation: ofEvaluation(inGolden(0.6)) }],
    ["evaluation over app", {}, { evaluation: ofEvaluation(inGolden(0.6)), app: ofApp(inGolden(1)) }],
    ["expectation", ofExpectation(0.6), {}],
    ["expectation over evaluation", ofExpectation(0.6), { evaluation: ofEvaluation(inGolden(0.1)) }],
  ] as const
)
  .flatMap(([level, own, settings]) =>
    bothSides({
      name: `parameters, threshold 0.6 of the ${level}`,
      expects: [expectCall(find({ item: "mug", count: 1, options: { gift: true } }), own), DONE],
      meets: calls(find({ item: "mug", count: 1, options: {} })),
      misses: calls(find({ item: "mug", count: 7, options: {} })),
      failed: ["parameters"],
      ...settings,
    }),
  )
  .concat(
    bothSides({
      name: "parameters, default threshold 1; those that the golden does not name are ignored",
      expects: [expectCall(find({ item: "mug", count: 1 })), DONE],
      meets: calls(find({ count: 1, item: "mug", options: { gift: true } })),
      misses: calls(find({ item: "mug" })),
      failed: ["parameters"],
    }),
  );

const extra = (behavior: string) => ({ toolMatchingSettings: { extraToolCallBehavior: behavior } });

const EXTRA_CALLS: readonly MetricCase[] = (
  [
    ["by default", {}, "FAIL"],
    ["FAIL of the app", { app: ofApp(extra("FAIL")) }, "FAIL"],
    ["ALLOW of the app", { app: ofApp(extra("ALLOW")) }, "PASS"],
    ["ALLOW of the evaluation", { evaluation: ofEvaluation(extra("ALLOW")) }, "PASS"],
    [
      "FAIL of the evaluation over ALLOW of the app",
      { evaluation: ofEvaluation(extra("FAIL")), app: ofApp(extra("ALLOW")) },
      "FAIL",
    ],
  ] as const
).map(([level, settings, status]) => ({
  name: `an extra call, ${level}`,
  expects: expectCalls(find()),
  does: calls(find(), price()),
  status,
  ...(status === "FAIL" && { failed: ["extra call"] }),
  ...settings,
}));

/** Cases of thresholds and their overrides. */
export const THRESHOLD_CASES: readonly MetricCase[] = [...SIMILARITY, ...TOOL_CALLS, ...PARAMETERS, ...EXTRA_CALLS];
