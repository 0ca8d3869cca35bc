import type { DefinedModel, PlanRequest } from "#analytics";
import { definedFields } from "#base";
import { describeQuery, type ModelQuery } from "#semantics";
import type { Interpretation, InterpretedQuery } from "../query-planner/interpretation.ts";
import { impossibleDateIn } from "../query-planner/time/impossible-date.ts";
import { MAX_PAST_QUESTIONS, MAX_QUESTION_CHARACTERS } from "../question-length.ts";
import { type ModelLexicon, modelLexicon, questionLexicon } from "./lexicon.ts";
import { type ReadQuestion, readQuestion } from "./read-question.ts";
import { resolveQuestion, spoken } from "./resolve-question.ts";

/** A query of the model with its statement, or a refusal. */
type ModelInterpretation =
  | { readonly kind: "query"; readonly query: InterpretedQuery & { readonly modelQuery: ModelQuery } }
  | Extract<Interpretation, { kind: "reply" }>;

/**
 * Plans a question over the semantic model of its data agent (SEM-10): a query of the model, or a refusal that names what was not
 * understood. Undefined where the question names no metric of the model, so that the tables themselves may be asked.
 */
export async function planByModel(
  request: PlanRequest,
  defined: DefinedModel,
): Promise<ModelInterpretation | undefined> {
  const { past, question } = request;
  const earlier = past.slice(-MAX_PAST_QUESTIONS).map((turn) => turn.question.slice(0, MAX_QUESTION_CHARACTERS));
  const lexicon = await modelLexicon(defined);
  const planOne = (one: string, before: ModelQuery | undefined) => planQuestion(one, before, request, defined, lexicon);
  let before: ModelQuery | undefined;
  for (const one of earlier) {
    const planned = planOne(one, before);
    before = planned && "query" in planned ? planned.query : undefined;
  }
  const planned = planOne(question, before);
  if (!planned) return undefined;
  if ("refusal" in planned) return { kind: "reply", text: planned.refusal, followUps: suggestions(defined) };
  return answered(planned.query, planned.read, defined);
}

function planQuestion(
  question: string,
  before: ModelQuery | undefined,
  { model, now }: PlanRequest,
  defined: DefinedModel,
  own: ModelLexicon,
) {
  const read = readQuestion(question, questionLexicon(own, question, { defined, model }), now);
  const isFollowUp = read.metrics.length === 0;
  if (isFollowUp && (!before || read.unknown.length > 0)) return undefined;
  // "list the orders in North" asks for rows.
  if (read.listed && (read.unknown.length > 0 || (read.groupings.length === 0 && !read.grain))) return undefined;
  const date = impossibleDateIn(question);
  if (date !== undefined) return { refusal: `There is no ${date} in the calendar.` };
  if (read.unknown.length > 0) return { refusal: unknownWords(read, defined) };
  const resolved = resolveQuestion(read, before, defined);
  return "query" in resolved ? { query: resolved.query, read } : resolved;
}

function answered(query: ModelQuery, { chart }: ReadQuestion, defined: DefinedModel): ModelInterpretation {
  const { sql } = defined.compile(query);
  const words = describeQuery(query, defined.definition);
  return {
    kind: "query",
    query: {
      name: query.metrics.join("_"),
      modelQuery: query,
      sql,
      understanding: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
      warnings: [],
      followUps: suggestions(defined, query),
      ...(query.groupBy.length > 0 && { chart: definedFields({ mark: chart }) }),
      ...(query.limit !== undefined && { ranked: query.limit }),
    },
  };
}

function unknownWords({ unknown, metrics }: ReadQuestion, { definition }: DefinedModel): string {
  const words = unknown.map((word) => `“${word}”`).join(", ");
  const named = metrics.map(({ text }) => text).join(" and ");
  const dimensions = definition.datasets.flatMap(({ dimensions: all }) =>
    all.filter(({ hidden }) => !hidden).map(({ name, label }) => label ?? spoken(name)),
  );
  return `I know ${named}, but I did not understand ${words}, and leaving it out would answer another question. The semantic model has: ${[...new Set(dimensions)].slice(0, 20).join(", ")}.`;
}

function suggestions({ definition: { metrics, datasets } }: DefinedModel, query?: ModelQuery): readonly string[] {
  const [metric] = query?.metrics ?? metrics.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const [dimension] = datasets.flatMap(({ dimensions }) =>
    dimensions.filter(({ hidden, type }) => !hidden && type === "text"),
  );
  if (!metric) return [];
  const grouped = query?.groupBy.some(({ grain }) => grain);
  return [
    ...(grouped ? [] : [`${spoken(metric)} by month`]),
    ...(dimension ? [`${spoken(metric)} by ${spoken(dimension.label ?? dimension.name)}`] : []),
  ];
}
