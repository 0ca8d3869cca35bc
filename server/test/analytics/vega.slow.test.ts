import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { buildSemanticModel, type PlanRequest, relevantModel } from "#analytics";
import { createRulePlanners } from "#offline";
import { createWarehouse, type SqlSource, type Warehouse } from "#warehouse";
import { coversRows } from "./comparable-rows.ts";
import { VEGA_QUESTIONS } from "./vega-questions.ts";
import { copyVegaTables } from "./vega-tables.ts";

const LIMITS = { maxRows: 5_000, maxBytes: 3_000_000, timeoutMs: 60_000 };
const { signal } = new AbortController();

/** What came of a question: the rows of the statement written by hand, with or without doubts told, other rows, or no answer. */
type Outcome = "right" | "right, with a doubt" | "wrong, with a doubt" | "wrong and silent" | "refused";

describe("questions to tables that were not made for this server, without a language model (CA-35)", () => {
  const folder = mkdtempSync(join(tmpdir(), "vega-"));
  let warehouse: Warehouse;
  const outcomes: { readonly question: string; readonly outcome: Outcome; readonly answerable: boolean }[] = [];
  before(async () => {
    copyVegaTables(
      folder,
      Object.keys(VEGA_QUESTIONS).flatMap((tables) => tables.split(" ")),
    );
    const spillDir = join(folder, ".spill");
    warehouse = createWarehouse({ sources: [{ name: ["acme", "vega"], path: folder }], memory: "512MB", spillDir });
    for (const [tables, questions] of Object.entries(VEGA_QUESTIONS)) {
      const ask = await asking(tables);
      for (const [question, sql] of questions)
        outcomes.push({ question, outcome: await ask(question, sql), answerable: sql !== "" });
    }
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  async function asking(tables: string) {
    const tableReferences = tables.split(" ").map((tableId) => ({ projectId: "acme", datasetId: "vega", tableId }));
    const datasourceReferences = { references: { case: "bq" as const, value: { tableReferences } } };
    const context = create(ContextSchema, { datasourceReferences });
    assert.ok(context.datasourceReferences);
    const source = (await warehouse.open(context.datasourceReferences)) as SqlSource;
    const model = await buildSemanticModel(source, context, signal);
    const { sql: planner } = createRulePlanners();
    const rowsOf = (sql: string) => source.query({ sql, limits: LIMITS, signal });
    return async (question: string, sql: string): Promise<Outcome> => {
      const request: PlanRequest = {
        question,
        past: [],
        model: relevantModel(model, { question, earlier: [], statements: [] }),
        examples: [],
        analysisAllowed: false,
        now: new Date("2026-07-01T00:00:00Z"),
        signal,
      };
      const plan = await planner.plan(request, []);
      if (plan.kind !== "query") return "refused";
      const result = await rowsOf(plan.sql);
      const { warnings = [] } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
      const isRight = sql !== "" && coversRows(result.rows, (await rowsOf(sql)).rows);
      if (isRight) return warnings.length > 0 ? "right, with a doubt" : "right";
      return warnings.length > 0 ? "wrong, with a doubt" : "wrong and silent";
    };
  }

  const count = (wanted: Outcome, answerable: boolean) =>
    outcomes.filter((one) => one.outcome === wanted && one.answerable === answerable).length;

  it("has no answer that is wrong and silent", () => {
    assert.deepEqual(
      outcomes.filter(({ outcome }) => outcome === "wrong and silent").map(({ question }) => question),
      [],
    );
  });

  it("has as many right answers and refusals as docs/analytics.md says", () => {
    const table = (answerable: boolean) => ({
      right: count("right", answerable),
      "right, with a doubt": count("right, with a doubt", answerable),
      "wrong, with a doubt": count("wrong, with a doubt", answerable),
      refused: count("refused", answerable),
    });
    assert.deepEqual({ answerable: table(true), unanswerable: table(false) }, PUBLISHED);
  });
});

/** The figures in docs/analytics.md. */
const PUBLISHED = {
  answerable: { right: 125, "right, with a doubt": 28, "wrong, with a doubt": 5, refused: 15 },
  unanswerable: { right: 0, "right, with a doubt": 0, "wrong, with a doubt": 5, refused: 59 },
};
