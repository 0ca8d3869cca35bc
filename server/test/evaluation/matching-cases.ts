import type { Step } from "./generated-dialogues.ts";
import { calls, expectCall, expectText, find, type MetricCase } from "./metric-cases.ts";

const DONE = expectText("Done.");
const say = (text: string): readonly Step[] => [{ say: text }];

/** A matcher or a value that the golden expects of an argument, with values that meet and miss it. */
const ARGUMENTS: readonly (readonly [
  name: string,
  expected: object | string | number,
  meets: unknown[],
  misses: unknown[],
])[] = [
  ["contains", { $matchType: "contains", $matchValue: "mug" }, ["mug", "a mug or two"], ["a cup", ""]],
  ["regexp", { $matchType: "regexp", $matchValue: "^A-\\d{4}$" }, ["A-1001"], ["A-10", "B-1001"]],
  ["semantic", { $matchType: "semantic", $matchValue: "a mug" }, ["a mug", "a cup (argument 1)"], ["tea (argument 0)"]],
  [
    "semantic, with the original value",
    { $matchType: "semantic", $matchValue: "a mug", $originalValue: "the mug (argument 0)" },
    ["the mug (argument 0)"],
    ["tea (argument 0)"],
  ],
  ["in an object", { size: { $matchType: "contains", $matchValue: "L" } }, [{ size: "XL" }], [{ size: "S" }, {}, "XL"]],
  ["in a list", { list: [{ $matchType: "ignore" }, 2] }, [{ list: [9, 2] }], [{ list: [9, 3] }, { list: [2] }]],
  ["ignore", { $matchType: "ignore" }, ["anything", undefined], []],
  ["a text", "mug", ["mug"], ["Mug", "mug ", 1]],
  ["a number", 2, [2], [3, "2"]],
  ["a key that every object has", { constructor: "x" }, [{ constructor: "x" }], [{}, { toString: "x" }]],
  [
    "a matcher of a key that every object has",
    { constructor: { $matchType: "contains", $matchValue: "function" } },
    [{ constructor: "a function" }],
    [{}],
  ],
  [
    "an object in another order",
    { a: 1, b: [1, 2] },
    [
      { b: [1, 2], a: 1 },
      { a: 1, b: [1, 2], c: 3 },
    ],
    [{ a: 1, b: [2, 1] }],
  ],
];

const ARGUMENT_CASES: readonly MetricCase[] = ARGUMENTS.flatMap(([name, expected, meets, misses]) => {
  const expects = [expectCall(find({ item: expected as string })), DONE];
  const observed = (value: unknown) => calls(find(value === undefined ? {} : { item: value as string }));
  return [
    ...meets.map((value) => ({
      name: `argument, ${name}: ${JSON.stringify(value)}`,
      expects,
      does: observed(value),
      status: "PASS" as const,
    })),
    ...misses.map((value) => ({
      name: `argument, ${name}: not ${JSON.stringify(value)}`,
      expects,
      does: observed(value),
      status: "FAIL" as const,
      failed: ["parameters"],
    })),
  ];
});

/** A matcher that cannot decide has not measured. */
const UNDECIDED: readonly MetricCase[] = [
  { $matchType: "fuzzy", $matchValue: "mug" },
  { $matchType: "regexp", $matchValue: "(" },
].map((matcher) => ({
  name: `argument, ${JSON.stringify(matcher)} is not measured`,
  expects: [expectCall(find({ item: matcher as unknown as string })), DONE],
  does: calls(find({ item: "mug" })),
  status: "SKIPPED",
}));

const TEXTS: readonly (readonly [type: string, meets: string, misses: string, failed: readonly string[]])[] = [
  ["EQUALS", "Ready.", "Ready. Bye.", ["agent response"]],
  ["CONTAINS", "It is Ready.", "It is late.", ["agent response"]],
  [
    "SEMANTIC_SIMILARITY",
    "It is done, semantic-similarity 3.",
    "No, semantic-similarity 2.",
    ["agent response", "similarity"],
  ],
  [
    "COMPARISON_TYPE_UNSPECIFIED",
    "It is done, semantic-similarity 3.",
    "No, semantic-similarity 2.",
    ["agent response", "similarity"],
  ],
];

const COMPARISONS: readonly MetricCase[] = [
  ...["EQUALS", "CONTAINS"].map((comparisonType): MetricCase => {
    const expects = [expectText("Cafe\u0301", { comparisonType })];
    return {
      name: `text, ${comparisonType}: letters in another form`,
      expects,
      does: say("Caf\u00e9"),
      status: "PASS",
    };
  }),
  ...TEXTS.flatMap(([comparisonType, meets, misses, failed]): readonly MetricCase[] => {
    const expects = [expectText("Ready.", { comparisonType })];
    return [
      { name: `text, ${comparisonType}: met`, expects, does: say(meets), status: "PASS" },
      { name: `text, ${comparisonType}: missed`, expects, does: say(misses), status: "FAIL", failed },
    ];
  }),
  ...(
    [
      ["EQUALS", "mug", "a mug"],
      ["CONTAINS", "a mug", "a cup"],
      ["SEMANTIC_SIMILARITY", "a cup (argument 1)", "tea (argument 0)"],
      ["COMPARISON_TYPE_UNSPECIFIED", "mug", "a mug"],
    ] as const
  ).flatMap(([comparisonType, meets, misses]): readonly MetricCase[] => {
    const expects = [expectCall(find({ item: "mug" }), { comparisonType }), DONE];
    const name = `call, ${comparisonType}`;
    return [
      { name: `${name}: met`, expects, does: calls(find({ item: meets })), status: "PASS" },
      { name: `${name}: missed`, expects, does: calls(find({ item: misses })), status: "FAIL", failed: ["parameters"] },
    ];
  }),
];

const BILLING = "$APP/agents/the-billing";
const transfer = (agent: string): readonly Step[] => [{ transfer: agent }, { say: "Done." }];
const FIND = "$APP/tools/the-find-order";
const response = (left: number) => ({ tool: FIND, response: { result: { left } } });

/** Every kind of expectation, met and missed. */
const KINDS: readonly (readonly [
  name: string,
  expects: readonly object[],
  meets: readonly Step[],
  misses: readonly Step[],
  failed: string,
])[] = [
  ["tool call", [expectCall(find()), DONE], calls(find()), say("Done."), "missing call"],
  [
    "tool response",
    [expectCall(find()), { toolResponse: response(93) }, DONE],
    calls(find({ count: 7 })),
    calls(find({ count: 8 })),
    "tool response",
  ],
  ["agent response", [DONE], say("Done."), say("No, semantic-similarity 0."), "agent response"],
  [
    "agent transfer",
    [{ agentTransfer: { targetAgent: BILLING } }, DONE],
    transfer("Billing"),
    transfer("Returns"),
    "agent transfer",
  ],
  [
    "updated variables",
    [expectCall(find()), DONE, { updatedVariables: { last_find_order: "cup 2" } }],
    calls(find({ item: "cup", count: 2 })),
    calls(find({ item: "mug", count: 2 })),
    "variables",
  ],
  ["no tool calls", [{ noToolCalls: true }, DONE], say("Done."), calls(find()), "no tool calls"],
];

const KIND_CASES: readonly MetricCase[] = KINDS.flatMap(
  ([name, expects, meets, misses, failed]): readonly MetricCase[] => {
    const also = { "no tool calls": ["extra call"], "agent response": ["similarity"] }[failed] ?? [];
    return [
      { name: `${name}: met`, expects, does: meets, status: "PASS" },
      { name: `${name}: missed`, expects, does: misses, status: "FAIL", failed: [...also, failed].sort() },
      {
        name: `${name}: missed and skipped`,
        expects: expects.map((expectation) =>
          expectation === DONE ? expectation : { ...expectation, skipEvaluation: true },
        ),
        does: expects.length === 1 ? say("Done.") : misses,
        evaluation: {
          evaluationMetricsThresholdOverride: {
            goldenEvaluationMetricsThresholds: { toolMatchingSettings: { extraToolCallBehavior: "ALLOW" } },
          },
        },
        status: "PASS",
      },
    ];
  },
);

const MOCKED: readonly MetricCase[] = [
  {
    name: "mocked tool response: it is what the tool answers",
    expects: [{ mockToolResponse: response(5) }, expectCall(find()), { toolResponse: response(5) }, DONE],
    does: calls(find()),
    status: "PASS",
  },
];

const behaviors = (behavior: string) => ({ goldenHallucinationMetricBehavior: behavior });
const hallucination = (score: number): readonly Step[] => [
  { calls: [find()] },
  { say: `Ready, semantic-similarity 3, hallucination ${score}.` },
];

const HALLUCINATION: readonly MetricCase[] = (
  [
    ["by default", {}, false],
    ["ENABLED of the app", { app: { evaluationMetricsThresholds: behaviors("ENABLED") } }, true],
    [
      "ENABLED of the app's deprecated field",
      { app: { evaluationMetricsThresholds: { hallucinationMetricBehavior: "ENABLED" } } },
      true,
    ],
    ["DISABLED of the app", { app: { evaluationMetricsThresholds: behaviors("DISABLED") } }, false],
    ["ENABLED of the evaluation", { evaluation: { evaluationMetricsThresholdOverride: behaviors("ENABLED") } }, true],
    [
      "DISABLED of the evaluation over the app",
      {
        evaluation: { evaluationMetricsThresholdOverride: behaviors("DISABLED") },
        app: { evaluationMetricsThresholds: behaviors("ENABLED") },
      },
      false,
    ],
    [
      "ENABLED of the turn over the evaluation",
      {
        turn: { hallucinationMetricBehaviorOverride: "ENABLED" },
        evaluation: { evaluationMetricsThresholdOverride: behaviors("DISABLED") },
      },
      true,
    ],
    [
      "DISABLED of the turn over the evaluation",
      {
        turn: { hallucinationMetricBehaviorOverride: "DISABLED" },
        evaluation: { evaluationMetricsThresholdOverride: behaviors("ENABLED") },
      },
      false,
    ],
  ] as const
).flatMap(([name, settings, counts]) =>
  [1, 0, -1].map((score) => ({
    name: `hallucination ${score}, ${name}`,
    expects: [expectCall(find()), DONE],
    does: hallucination(score),
    status: counts && score === 0 ? ("FAIL" as const) : ("PASS" as const),
    has: { hallucinationResult: { score } },
    ...settings,
  })),
);

const similarityFlag = (enabled: boolean) => ({
  semanticSimilarityMetricsConfig: { enableSemanticSimilarityMetrics: enabled },
});
const callsFlag = (enabled: boolean) => ({ toolCorrectnessMetricsConfig: { enableToolCorrectnessMetrics: enabled } });
const parametersFlag = (enabled: boolean) => ({
  stepToolCorrectnessMetricsConfig: { enableToolCorrectnessMetrics: enabled },
});
const ofApp = (config: object) => ({ app: { evaluationSettings: { metricsConfig: { goldenMetricsConfig: config } } } });
const ofEvaluation = (config: object) => ({
  evaluation: { evaluationMetricsConfigOverride: { goldenMetricsConfig: config } },
});

/** Each metric with what it would fail for, and how it is turned off. */
const FLAGS = [
  ["similarity", [DONE], say("No, semantic-similarity 0."), similarityFlag, ["agent response", "similarity"]],
  ["tool calls, a missing one", [expectCall(find()), DONE], say("Done."), callsFlag, ["missing call"]],
  ["tool calls, an extra one", [DONE], calls(find()), callsFlag, ["extra call"]],
  ["parameters", [expectCall(find({ count: 2 })), DONE], calls(find({ count: 3 })), parametersFlag, ["parameters"]],
] as const;

const OFF: readonly MetricCase[] = FLAGS.flatMap(([name, expects, does, flag, failed]): readonly MetricCase[] => [
  { name: `${name}: off in the app`, expects, does, ...ofApp(flag(false)), status: "PASS" },
  { name: `${name}: off in the evaluation`, expects, does, ...ofEvaluation(flag(false)), status: "PASS" },
  {
    name: `${name}: on in the evaluation, off in the app`,
    expects,
    does,
    ...ofApp(flag(false)),
    ...ofEvaluation(flag(true)),
    status: "FAIL",
    failed,
  },
  {
    name: `${name}: off in the evaluation, on in the app`,
    expects,
    does,
    ...ofApp(flag(true)),
    ...ofEvaluation(flag(false)),
    status: "PASS",
  },
]);

const offHere = (enabled: boolean) => ({
  agentResponseSemanticSimilarityMetricsConfigOverride: similarityFlag(enabled).semanticSimilarityMetricsConfig,
});

const OFF_IN_EXPECTATIONS: readonly MetricCase[] = [
  {
    name: "hallucination: off in the expectation",
    expects: [expectCall(find()), expectText("Done.", { agentResponseHallucinationMetricsConfigOverride: {} })],
    does: hallucination(0),
    turn: { hallucinationMetricBehaviorOverride: "ENABLED" },
    status: "PASS",
  },
  {
    name: "similarity: off in the expectation",
    expects: [expectText("Ready.", offHere(false))],
    does: say("No, semantic-similarity 0."),
    status: "PASS",
  },
  {
    name: "similarity: on in the expectation, off in the evaluation",
    expects: [expectText("Ready.", offHere(true))],
    does: say("No, semantic-similarity 0."),
    ...ofEvaluation(similarityFlag(false)),
    status: "FAIL",
    failed: ["agent response", "similarity"],
  },
];

/** Cases of what is compared, and how. */
export const MATCHING_CASES: readonly MetricCase[] = [
  ...ARGUMENT_CASES,
  ...UNDECIDED,
  ...COMPARISONS,
  ...KIND_CASES,
  ...MOCKED,
  ...HALLUCINATION,
  ...OFF,
  ...OFF_IN_EXPECTATIONS,
];
