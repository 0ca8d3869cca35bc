import type { JsonObject } from "#base";
import { nonEmptyFields } from "#base";
import type { Explore, ExploreField, LookerResult } from "#warehouse";
import type { Prompt } from "../plan/prompts.ts";
import { CHART, TEXT, TEXTS } from "../plan/response-schemas.ts";
import type { LookerPlanRequest, LookerQueryPlan } from "./looker-planner.ts";

/** The response of a language model with a Looker query. */
export const LOOKER_PLAN_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["query", "redraw", "reply"] },
    reasoning: TEXT,
    name: TEXT,
    model: TEXT,
    explore: TEXT,
    fields: TEXTS,
    filters: {
      type: "array",
      items: { type: "object", properties: { field: TEXT, value: TEXT }, required: ["field", "value"] },
    },
    sorts: TEXTS,
    limit: TEXT,
    chart: CHART,
    analysis: TEXT,
    result: TEXT,
    text: TEXT,
    follow_ups: TEXTS,
  },
  required: ["kind"],
};

/** Values of a field, golden queries and earlier turns that are shown. */
const SHOWN = 12;
/** Rows of a result in the prompt, at most. */
const READ_ROWS = 50;

/** Asks for a query of one explore. */
export function lookerPlanPrompt(request: LookerPlanRequest): Prompt {
  const { explores, golden, instruction, past, now, question } = request;
  const system = [
    "You turn questions about Looker explores into one Looker query of one explore and choose how its result is drawn.",
    "Use only the fields listed, by their full names (view.field). Filter values are Looker filter expressions.",
    `Today is ${now.toISOString().slice(0, 10)}.`,
    'Answer with JSON. kind "query": model, explore, fields, filters (field and value), sorts ("view.field desc"), limit (a text, at most "5000"), name (snake_case), reasoning (one or two sentences for the user), chart (only where a picture helps; x, y and series are fields).',
    'kind "redraw": result (name of an earlier result; the last one when absent) and chart, when rows that were shown already are to be drawn another way.',
    ...(request.analysisAllowed
      ? [
          "If the question needs statistics that Looker cannot do, also give analysis: what Python shall compute from the rows; with redraw: from the earlier ones.",
        ]
      : []),
    'kind "reply": text, when no data is needed, when the question is ambiguous (ask back), or when these explores cannot answer it.',
    ...(instruction ? ["", "Instruction of the data's author:", instruction] : []),
    "",
    "Explores:",
    ...explores.map(describeExplore),
    ...golden
      .slice(0, SHOWN)
      .flatMap((one) => ["", `Verified question: ${one.question}`, `Its query: ${writtenQuery(one.query)}`]),
  ].join("\n");
  const before = past
    .slice(-SHOWN / 2)
    .flatMap(({ question: earlier, answer, results }) => [
      `Earlier question: ${earlier}`,
      ...results.flatMap(({ name, looker }) => (looker ? [`Its result ${name}: ${writtenQuery(looker)}`] : [])),
      `Earlier answer: ${answer.slice(0, 1000)}`,
    ]);
  return { system, user: [...before, `Question: ${question}`].join("\n") };
}

/** The prompt for an answer in words. */
export function lookerAnswerPrompt(
  { question, instruction }: LookerPlanRequest,
  { reasoning }: LookerQueryPlan,
  { columns, rows, formatted, truncated }: LookerResult,
): Prompt {
  const system = [
    "You tell the result of a Looker query to the person who asked. Be brief; markdown is allowed.",
    "State only numbers that stand in the rows, as they are or rounded. Do not add them up or compute others from them.",
    "Answer with JSON: text, and follow_ups: up to three questions that the same explore can answer.",
    ...(instruction ? ["", "Instruction of the data's author:", instruction] : []),
  ].join("\n");
  const shown = (formatted ?? rows).slice(0, READ_ROWS).map((row) => row.map((cell) => String(cell ?? "")).join(" | "));
  const user = [
    `Question: ${question}`,
    `Plan: ${reasoning}`,
    columns.map(({ name }) => name).join(" | "),
    ...shown,
    ...(rows.length > READ_ROWS || truncated ? [`(${rows.length}${truncated ? " or more" : ""} rows in all)`] : []),
  ];
  return { system, user: user.join("\n") };
}

/** A query as the model writes one. */
export function writtenQuery({ model, explore, fields, filters, sorts, limit }: LookerQueryPlan["query"]): string {
  const plain = filters.map(({ field, value = "" }) => ({ field, value }));
  return JSON.stringify({ kind: "query", model, explore, fields, filters: plain, sorts, ...nonEmptyFields({ limit }) });
}

function describeExplore({ model, name, label, description, fields, ...words }: Explore): string {
  const notes = [description, ...otherWords(words)].filter(Boolean).join("; ");
  return [`model ${model}, explore ${name} (${label})${notes && `: ${notes}`}`, ...fields.map(line)].join("\n");
}

function otherWords({ synonyms = [], tags = [] }: Pick<Explore, "synonyms" | "tags">): readonly string[] {
  return [
    synonyms.length > 0 ? `also called ${synonyms.join(", ")}` : "",
    tags.length > 0 ? `tags ${tags.join(", ")}` : "",
  ];
}

function line({ name, category, lookerType, viewLabel, label, description, values, ...words }: ExploreField): string {
  const known = values.slice(0, SHOWN).map((value) => JSON.stringify(value));
  const listed = known.length > 0 ? `values ${known.join(", ")}` : "";
  const notes = [`${viewLabel} ${label}`.trim(), description, ...otherWords(words), listed];
  return `  ${category.toLowerCase()} ${name} ${lookerType} (${notes.filter(Boolean).join("; ")})`;
}
