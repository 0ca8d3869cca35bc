import type { NamedResult, Plan, Planner, PlanRequest } from "#analytics";
import { definedFields } from "#base";
import { BUILTIN_MODEL } from "../dialogue-policy/builtin-model.ts";
import { planByModel } from "../model-planner/plan-by-model.ts";
import { MAX_PAST_QUESTIONS, MAX_QUESTION_CHARACTERS, QUESTION_TOO_LONG } from "../question-length.ts";
import { interpretQuestion } from "./interpret-question.ts";
import type { InterpretedQuery } from "./interpretation.ts";
import { lexiconOf } from "./lexicon/build-lexicon.ts";
import { describeResult, rowsCut } from "./responses/describe-result.ts";
import { parseStatisticRequest } from "./statistics/parse-statistic.ts";
import { type PlannedStatistic, planStatistic } from "./statistics/plan-statistic.ts";
import { programFor } from "./statistics/programs.ts";

type QueryPlan = Extract<Plan, { kind: "query" }>;

/** Plans by rules, without a language model: the same question gets the same plan. */
export function createSqlRulePlanner(): Planner {
  const interpreted = new WeakMap<Plan, InterpretedQuery>();

  function planned(query: InterpretedQuery, more: Pick<QueryPlan, "analysis" | "origin"> = {}): QueryPlan {
    const plan: QueryPlan = {
      kind: "query",
      name: query.name,
      sql: query.sql,
      reasoning: [query.understanding, ...query.warnings].join(" "),
      doubts: query.warnings,
      ...definedFields({ chart: query.chart }),
      ...more,
    };
    interpreted.set(plan, query);
    return plan;
  }

  return {
    label: BUILTIN_MODEL,
    async plan(request, failed) {
      const [attempt] = failed;
      // Rules have one interpretation of a question: another attempt would be the same.
      if (attempt) return { kind: "reply", text: `I could not answer that: ${attempt.error}`, followUps: [] };
      if (request.question.length > MAX_QUESTION_CHARACTERS)
        return { kind: "reply", text: QUESTION_TOO_LONG, followUps: [] };
      const { past, question, model, now, defined } = request;
      const outside: Pick<QueryPlan, "origin"> = { origin: { kind: "outside", by: "rules" } };
      const statistic = statisticOf(request);
      if (statistic === "switched-off") return { kind: "reply", text: SWITCHED_OFF, followUps: [] };
      if (statistic) return planned(statistic.query, { analysis: statistic.instruction, ...outside });
      const byModel = defined && (await planByModel(request, defined));
      if (byModel?.kind === "query") {
        const { understanding: words, modelQuery: query } = byModel.query;
        return planned(byModel.query, { origin: { kind: "semantic-model", words, query } });
      }
      if (byModel) return byModel;
      const earlier = past.slice(-MAX_PAST_QUESTIONS).map((turn) => turn.question.slice(0, MAX_QUESTION_CHARACTERS));
      const interpretation = interpretQuestion([...earlier, question], model, now);
      return interpretation.kind === "query" ? planned(interpretation.query, outside) : interpretation;
    },
    async answer(_request, plan, results) {
      const query = interpreted.get(plan) ?? fromPlan(plan);
      const last = results.at(-1);
      if (!last) return { text: "", followUps: [] };
      const { followUps } = query;
      const warnings = [...query.warnings, ...ties(query, last.result), ...nothingThen(query, last.result)];
      if (plan.analysis) return { text: notes(query), followUps, warnings };
      const text = describeResult({ ...query, warnings }, last.result);
      return { text, followUps, warnings: [...warnings, ...rowsCut(query.sql, last.result)] };
    },
    writeAnalysis: async (_request, instruction) => programFor(instruction) ?? "",
  };
}

/** Of a ranking, rows that are equal to the last one are shown, too. */
function ties({ ranked }: InterpretedQuery, { rows }: NamedResult["result"]): readonly string[] {
  if (ranked === undefined || rows.length <= ranked) return [];
  return [`${rows.length} rows are shown in place of ${ranked}, because the last ones have equal numbers.`];
}

/** Zero may be an answer, or a time that the data does not reach. */
function nothingThen({ uncovered }: InterpretedQuery, { rows }: NamedResult["result"]): readonly string[] {
  const isNothing = rows.every((row) => row.every((cell) => cell === null || Number(cell) === 0));
  if (uncovered === undefined || !isNothing) return [];
  return [
    `Nothing was found in that time, and which days ${uncovered} covers is not known yet; ask again in a moment.`,
  ];
}

const SWITCHED_OFF =
  "That needs an analysis in Python, which this context does not allow. Set options.analysis.python.enabled, or ask for the numbers by month.";

function statisticOf({
  question,
  model,
  now,
  analysisAllowed,
}: PlanRequest): PlannedStatistic | "switched-off" | undefined {
  const requested = parseStatisticRequest(question);
  // "result by project", of a column that is called so
  if (!requested || (requested.said !== undefined && lexiconOf(model).has(requested.said))) return undefined;
  return analysisAllowed ? planStatistic(requested, model, now) : "switched-off";
}

/** The interpretation and its warnings; the analysis describes the numbers. */
function notes({ understanding, warnings }: InterpretedQuery): string {
  return [understanding, ...warnings.map((warning) => `*${warning}*`)].join("\n\n");
}

/** A query that the rules did not write: the author did, or a language model that failed since. */
function fromPlan({ name, sql, reasoning }: QueryPlan): InterpretedQuery {
  return { name, sql, understanding: reasoning, warnings: [], followUps: [] };
}
