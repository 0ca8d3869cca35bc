import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger, type JsonObject, type JsonValue } from "#base";
import type { Judgement } from "../judge/judge.ts";
import { AnswerCache } from "../replay/answer-cache.ts";
import { coversRows } from "./compare-rows.ts";
import type { DataRows, ObservedAnswer } from "./contract.ts";
import { readDataSuite } from "./data-suite.ts";

const SALES: DataRows = {
  columns: ["region", "revenue", "orders"],
  rows: [
    ["North", "132.5", "3"],
    ["South", "78", "2"],
  ],
};
const ANSWER: ObservedAnswer = {
  text: "**North** leads with 132.50.",
  statements: ['SELECT "region", sum(amount) AS revenue\nFROM orders GROUP BY 1'],
  lookerQueries: [{ model: "shop", explore: "orders", fields: ["orders.count", "orders.region"], limit: "10" }],
  results: [SALES],
  chart: { mark: { type: "bar", tooltip: true } },
  durationMs: 120,
};
const NOTHING: ObservedAnswer = {
  ...ANSWER,
  text: "Which amount do you mean?",
  statements: [],
  results: [],
  chart: undefined,
};

/** Runs one question of a suite over an answer that is given. */
async function tried(question: JsonObject, answer: ObservedAnswer, judgement?: Judgement) {
  const text = JSON.stringify({ questions: [{ question: "Who leads?", ...question }] });
  const [test] = readDataSuite({ path: "suite.json", text });
  assert.ok(test);
  return test.run({
    ask: async () => answer,
    rowsOf: async (sql) => (sql === "gold" ? SALES : Promise.reject(new Error("no such column"))),
    deps: {
      judge: { ask: async () => judgement ?? { kind: "not-measured", reason: "no judge" } },
      logger: createLogger("silent"),
    },
    signal: new AbortController().signal,
    answers: AnswerCache.read(undefined),
  });
}

const measured = (score: number): Judgement => ({ kind: "measured", score, label: "", explanation: "because" });

/** One assertion that holds for the answer and one that does not. */
const ASSERTIONS: readonly (readonly [kind: string, holds: JsonObject, fails: JsonObject])[] = [
  ["text-contains", { value: "north leads" }, { value: "South leads" }],
  ["query-contains", { value: "select region, SUM( amount )" }, { value: "count(" }],
  ["data-check-row", { columns: { Region: "South", orders: 2 } }, { columns: { region: "South", orders: 3 } }],
  ["data-check-row", { columns: { revenue: 132.5 } }, { columns: { profit: null } }],
  ["data-check-row-count", { value: 2 }, { value: 3 }],
  ["chart-check-type", { value: "bar" }, { value: "line" }],
  ["duration-max-ms", { value: 120 }, { value: 119 }],
  [
    "looker-query-match",
    { params: { model: "shop", fields: ["orders.region", "orders.count"] } },
    { params: { model: "shop", limit: "20" } },
  ],
];

describe("a question of a suite (EVAL-79, EVAL-80, EVAL-81)", () => {
  for (const [type, holds, fails] of ASSERTIONS) {
    it(`is decided by ${type}: ${JSON.stringify(holds)}`, async () => {
      assert.equal((await tried({ assertions: [{ type, ...holds }] }, ANSWER)).verdict, "passed");
      assert.equal((await tried({ assertions: [{ type, ...fails }] }, ANSWER)).verdict, "failed");
      const told = await tried({ assertions: [{ type, ...fails, weight: 0 }] }, ANSWER);
      assert.deepEqual([told.verdict, told.checks.at(-1)?.verdict], ["passed", "failed"]);
    });
  }

  it("is judged by a model, and not measured without one", async () => {
    const question = { assertions: [{ type: "ai-judge", value: "It names the region." }] };
    assert.equal((await tried(question, ANSWER, measured(1))).verdict, "passed");
    assert.equal((await tried(question, ANSWER, measured(0))).verdict, "failed");
    assert.equal((await tried(question, ANSWER)).verdict, "not-measured");
  });

  it("is compared with gold rows, or with those of a statement", async () => {
    const rows = [
      { total: 78, shop: "South" },
      { total: "132.50", shop: "North" },
    ];
    assert.equal((await tried({ gold: { rows } }, ANSWER)).verdict, "passed");
    assert.equal((await tried({ gold: { rows, ordered: true } }, ANSWER)).verdict, "failed");
    assert.equal((await tried({ gold: { sql: "gold", ordered: true } }, ANSWER)).verdict, "passed");
    const broken = await tried({ gold: { sql: "broken" } }, ANSWER);
    assert.deepEqual(
      [broken.verdict, broken.checks.at(-1)?.explanation],
      ["not-measured", "The gold statement does not run: no such column"],
    );
  });

  it("counts an abstention apart, whether it was expected or not", async () => {
    const cases: readonly (readonly [JsonObject, ObservedAnswer, string, boolean])[] = [
      [{}, NOTHING, "failed", true],
      [{ expect: "abstention" }, NOTHING, "passed", true],
      [{ expect: "abstention" }, ANSWER, "failed", false],
      [{ gold: { sql: "broken" } }, NOTHING, "failed", true],
    ];
    for (const [question, answer, verdict, abstained] of cases) {
      const found = await tried(question, answer);
      assert.deepEqual([found.verdict, found.abstained], [verdict, abstained], JSON.stringify(question));
    }
  });

  it("that cannot be read is a test that says where and why", async () => {
    const text =
      "questions:\n  - question: How many?\n  - question: Which?\n    assertions:\n      - type: text-contain\n        value: x";
    const [fine, broken] = readDataSuite({ path: "suite.yaml", text });
    assert.deepEqual([fine?.kind, broken?.kind, broken?.line], ["question", "unreadable", 3]);
    assert.deepEqual(readDataSuite({ path: "suite.yaml", text: "tests: []" })[0]?.kind, "unreadable");
  });
});

describe("rows of an answer", () => {
  const gold: DataRows = {
    columns: ["a", "b"],
    rows: [
      ["1", "1"],
      ["2", "1"],
      ["1", "2"],
    ],
  };
  /** Rows that are the gold ones, and rows that are not. */
  const CASES: readonly (readonly [string, readonly (readonly JsonValue[])[], boolean])[] = [
    [
      "in another order of columns and rows",
      [
        ["2", "1"],
        ["1", "2"],
        ["1", "1"],
      ],
      true,
    ],
    [
      "with a column beside them",
      [
        ["1", "1", "x"],
        ["1", "2", "y"],
        ["2", "1", "z"],
      ],
      true,
    ],
    [
      "to a millionth",
      [
        ["1.0000000001", "1"],
        ["2", "1.0"],
        ["1", "2"],
      ],
      true,
    ],
    [
      "with the values of two columns mixed",
      [
        ["1", "2"],
        ["2", "2"],
        ["1", "1"],
      ],
      false,
    ],
    [
      "with a row less",
      [
        ["1", "1"],
        ["2", "1"],
      ],
      false,
    ],
    ["with a column less", [["1"], ["2"], ["1"]], false],
  ];
  for (const [what, rows, isSame] of CASES) {
    it(`${isSame ? "are" : "are not"} the gold ones ${what}`, () => {
      const columns = (rows[0] ?? []).map((_, at) => `c${at}`);
      assert.equal(coversRows({ columns, rows }, gold, false), isSame);
    });
  }
});
