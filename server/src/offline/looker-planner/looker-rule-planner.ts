import { create } from "@bufbuild/protobuf";
import { LookerQuerySchema } from "@frontdesk/protos/gda/context";
import { type ChartHint, findExplore, type LookerPlan, type LookerPlanner, snakeCase } from "#analytics";
import { definedFields } from "#base";
import type { Explore, ExploreField, LookerResult } from "#warehouse";
import { programFor } from "../query-planner/statistics/programs.ts";
import { MAX_QUESTION_CHARACTERS, QUESTION_TOO_LONG } from "../question-length.ts";
import { lastQuery, parseFollowUp, parseRedrawRequest } from "./follow-up.ts";
import { type ParsedQuestion, parseQuestion } from "./parse-question.ts";

/**
 * Plans without a language model: measures and dimensions by their labels, filters where they are certain, "top n". A question with
 * an unknown word is not answered in part: the reply names the word and what can be asked.
 */
export const lookerRulePlanner: LookerPlanner = {
  verifiesAnswers: false,
  async plan({ question, explores, past }) {
    if (question.length > MAX_QUESTION_CHARACTERS) return { kind: "reply", text: QUESTION_TOO_LONG, followUps: [] };
    const last = lastQuery(past, explores);
    const picture = last && parseRedrawRequest(question);
    if (picture) return { kind: "redraw", chart: picture };
    const followUp = last && parseFollowUp(question, last, explores);
    if (followUp && isWhole(followUp)) return queryPlan(followUp);
    const readings = explores.map((explore) => parseQuestion(question, explore));
    const whole = readings.find(isWhole);
    return whole ? queryPlan(whole) : askBack(readings);
  },
  async answer({ explores }, { query, reasoning }, result) {
    const explore = findExplore(query, explores);
    const described = explore ? describeRows(result, explore) : "The rows above are the answer.";
    const asked = explore ? followUps(explore, query.fields) : [];
    return { text: [described, reasoning].join("\n\n"), followUps: asked };
  },
  writeAnalysis: async (_request, instruction) => programFor(instruction) ?? "",
};

function isWhole(read: ParsedQuestion): boolean {
  const { measures, dimensions, unknown, ambiguous, filters, counts, top } = read;
  if (unknown.length > 0 || ambiguous.length > 0) return false;
  if (measures.length === 0) return dimensions.length > 0 && !counts && !top;
  // Looker combines two filters of one field by AND, which is not what "or" means.
  return new Set(filters.map(({ field }) => field)).size === filters.length;
}

function queryPlan({ explore, measures, dimensions, filters, top }: ParsedQuestion): LookerPlan {
  const fields = [...dimensions, ...measures];
  const [measure] = measures;
  const [dimension] = dimensions;
  const sorts = sortsOf(measure, dimension, top);
  const time = dimension && isTime(dimension);
  const chart: ChartHint | undefined =
    measure && dimension ? { x: dimension.name, y: measure.name, ...(time && { mark: "line" as const }) } : undefined;
  return {
    kind: "query",
    name: snakeCase(fields.map(({ label }) => label).join(" ")) || "result",
    query: create(LookerQuerySchema, {
      model: explore.model,
      explore: explore.name,
      fields: fields.map(({ name }) => name),
      filters: filters.map(({ field, value }) => ({ field: field.name, value })),
      sorts,
      ...(top && { limit: String(top.count) }),
    }),
    reasoning: explain({ explore, measures, dimensions, filters, ...definedFields({ top }) }),
    ...definedFields({ chart }),
  };
}

/** Ascending by time, else the largest first. */
function sortsOf(
  measure: ExploreField | undefined,
  dimension: ExploreField | undefined,
  top: ParsedQuestion["top"],
): string[] {
  if (top && measure) return [`${measure.name} ${top.largest ? "desc" : "asc"}`];
  if (dimension && (isTime(dimension) || !measure)) return [dimension.name];
  return measure && dimension ? [`${measure.name} desc`] : [];
}

function isTime({ lookerType }: ExploreField): boolean {
  return lookerType.startsWith("date");
}

type QueryParts = Pick<ParsedQuestion, "explore" | "measures" | "dimensions" | "filters" | "top">;

function explain({ explore, measures, dimensions, filters, top }: QueryParts): string {
  const what = measures.length > 0 ? measures : dimensions;
  const by = measures.length > 0 && dimensions.length > 0 ? ` by ${labels(dimensions)}` : "";
  const where = filters.map(({ field, spoken }) => `${field.label} is ${spoken}`).join(" and ");
  const order = top ? `, the ${top.count} ${top.largest ? "largest" : "smallest"}` : "";
  return `I read this as ${labels(what)}${by}${where && ` where ${where}`}${order}, from ${explore.label}.`;
}

function labels(fields: readonly ExploreField[]): string {
  return fields.map(({ label }) => label).join(", ");
}

/** A reply that names the unknown words or the ambiguous fields, and what can be asked. */
function askBack(readings: readonly ParsedQuestion[]): LookerPlan {
  const [best] = readings.toSorted((left, right) => left.unknown.length - right.unknown.length);
  if (!best) return { kind: "reply", text: "There is no explore to ask.", followUps: [] };
  const { explore, unknown, ambiguous, measures, dimensions } = best;
  const choices = ambiguous.map(
    (fields) => `Which do you mean: ${fields.map(({ viewLabel, label }) => `${viewLabel} ${label}`).join(" or ")}?`,
  );
  const words = unknown.map((word) => `"${word}"`).join(", ");
  const nothing = measures.length + dimensions.length === 0;
  const lead = [
    ...(unknown.length > 0 ? [`I do not understand ${words}, so I asked nothing.`] : []),
    ...choices,
    ...(unknown.length + choices.length === 0
      ? [nothing ? "The question names no field of the data." : "I cannot make one query of that question."]
      : []),
  ];
  return { kind: "reply", text: [...lead, answerableQuestions(explore)].join(" "), followUps: followUps(explore, []) };
}

/** The largest number of labels in a reply. */
const MAX_LABELS = 12;

function answerableQuestions({ label, fields }: Explore): string {
  const named = (category: ExploreField["category"]) =>
    fields
      .filter((field) => field.category === category)
      .slice(0, MAX_LABELS)
      .map(full)
      .join(", ") || "nothing";
  return `In ${label} you may ask for ${named("MEASURE")}, by ${named("DIMENSION")}.`;
}

/** Follow-up questions that the rules understand: the measure of the question, or the first, by other dimensions. */
function followUps(explore: Explore, asked: readonly string[]): readonly string[] {
  const { fields } = explore;
  const measures = fields.filter(({ category }) => category === "MEASURE");
  const measure = measures.find(({ name }) => asked.includes(name)) ?? measures[0];
  if (!measure) return [];
  return fields
    .filter(({ category, name }) => category === "DIMENSION" && !asked.includes(name))
    .map((dimension) => `${full(measure)} by ${full(dimension)}`)
    .filter((question) => isWhole(parseQuestion(question, explore)))
    .slice(0, 3);
}

function full({ viewLabel, label }: ExploreField): string {
  return `${viewLabel} ${label}`.trim();
}

/** The largest number of rows in the text; the data message has all. */
const MAX_DESCRIBED_ROWS = 10;

/** Describes rows in Markdown: a sentence for one row, a table for more. */
function describeRows(result: LookerResult, { fields }: Explore): string {
  const rows = result.formatted ?? result.rows;
  const labels = result.columns.map(({ name }) => fields.find((field) => field.name === name)?.label ?? name);
  const [first] = rows;
  if (!first) return "Nothing was found.";
  const cell = (row: typeof first, at: number) => String(row[at] ?? "none").replaceAll("|", "\\|");
  if (rows.length === 1) return `${labels.map((label, at) => `${label}: **${cell(first, at)}**`).join(", ")}.`;
  const more = rows.length > MAX_DESCRIBED_ROWS || result.truncated;
  const lines = rows
    .slice(0, MAX_DESCRIBED_ROWS)
    .map((row) => `| ${labels.map((_, at) => cell(row, at)).join(" | ")} |`);
  return [
    `| ${labels.join(" | ")} |`,
    `|${labels.map(() => " --- |").join("")}`,
    ...lines,
    ...(more ? ["", result.truncated ? "The rows were cut; more exist." : "The rows above have the rest."] : []),
  ].join("\n");
}
