import { definedFields, isJsonObject, type JsonObject, type JsonValue, textOrEmpty, textsIn } from "#base";
import type { FinishReason, LanguageModel, ModelMessage } from "#models";
import { describeQuery, ModelFault } from "#semantics";
import type { ChartHint } from "../contract.ts";
import type { DefinedModel } from "../defined/bind-model.ts";
import { readModelQuery } from "../defined/read-query.ts";
import type { NamedResult, Plan, Planner, PlanRequest, RedrawPlan } from "./planner.ts";
import { analysisPrompt, answerPrompt, planPrompt } from "./prompts.ts";
import { ANALYSIS_SCHEMA, ANSWER_SCHEMA, MARKS, MODEL_PLAN_SCHEMA, PLAN_SCHEMA } from "./response-schemas.ts";

/** An answer of the model that nothing can be made of. */
export class ModelAnswerError extends Error {
  override readonly name = "ModelAnswerError";
}

/** Plans with a language model. It sees schemas, samples of values and rows by reference; it never runs anything itself. */
export function createModelPlanner(languageModel: LanguageModel): Planner {
  return {
    label: languageModel.label,
    retriesEmptyResults: true,
    async plan(request, failed) {
      const history: ModelMessage[] = failed.flatMap(({ sql, error }) => [
        textMessage("model", JSON.stringify({ kind: "query", sql })),
        textMessage("user", `That statement failed: ${error}\nAnswer with a corrected plan.`),
      ]);
      if (request.defined) return planByModel(languageModel, request, request.defined, history);
      return outside(
        readPlan(await generateJson(languageModel, planPrompt(request), PLAN_SCHEMA, request, history), request),
      );
    },
    async answer(request, plan, results) {
      const answer = await generateJson(
        languageModel,
        answerPrompt(request, plan, results),
        ANSWER_SCHEMA,
        request,
        [],
      );
      if (textOrEmpty(answer.text) === "") throw new ModelAnswerError("The language model gave no answer in words.");
      return { text: textOrEmpty(answer.text), followUps: textsIn(answer.follow_ups).slice(0, 3) };
    },
    writeAnalysis: (request, instruction, results, failed) =>
      requestProgram(languageModel, request, instruction, results, failed),
  };
}

/** Answers of a language model with a query that the semantic model cannot compile, before the question is given up. */
const MAX_FAULTS = 3;

/** A plan by the semantic model of the data agent, or beside it; faults of a query go back to the language model (SEM-10). */
async function planByModel(
  languageModel: LanguageModel,
  request: PlanRequest,
  defined: DefinedModel,
  history: readonly ModelMessage[],
): Promise<Plan> {
  const more = [...history];
  for (let tries = 1; ; tries++) {
    const answer = await generateJson(languageModel, planPrompt(request), MODEL_PLAN_SCHEMA, request, more);
    if (answer.kind !== "metrics") return outside(readPlan(answer, request));
    try {
      return modelPlan(answer, defined, request);
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      if (tries === MAX_FAULTS)
        return {
          kind: "reply",
          text: `The semantic model cannot answer that: ${error.faults.join("; ")}.`,
          followUps: [],
        };
      more.push(
        textMessage("model", JSON.stringify(answer)),
        textMessage("user", `That query cannot be compiled:\n${error.message}\nAnswer with a corrected plan.`),
      );
    }
  }
}

/** SQL of a language model is no definition of anybody. */
function outside(plan: Plan): Plan {
  return plan.kind === "query" ? { ...plan, origin: { kind: "outside", by: "language-model" } } : plan;
}

function modelPlan(answer: JsonObject, defined: DefinedModel, { analysisAllowed }: PlanRequest): Plan {
  const query = readModelQuery(answer);
  const { sql } = defined.compile(query);
  const words = `${describeQuery(query, defined.definition)}.`;
  const analysis = textOrEmpty(answer.analysis);
  return {
    kind: "query",
    name: snakeCase(textOrEmpty(answer.name)) || query.metrics.join("_"),
    sql,
    reasoning: words.charAt(0).toUpperCase() + words.slice(1),
    origin: { kind: "semantic-model", words, query },
    ...(isJsonObject(answer.chart ?? null) && { chart: readChart(answer.chart) }),
    ...(analysisAllowed && analysis !== "" && { analysis }),
  };
}

/** Asks for a Python program over rows; with what failed before, for a corrected one. */
export async function requestProgram(
  languageModel: LanguageModel,
  request: Pick<PlanRequest, "signal">,
  instruction: string,
  results: readonly NamedResult[],
  failed: readonly { readonly code: string; readonly error: string }[],
): Promise<string> {
  const history: ModelMessage[] = failed.flatMap(({ code, error }) => [
    textMessage("model", JSON.stringify({ code })),
    textMessage("user", `That program failed: ${error}\nAnswer with a corrected one.`),
  ]);
  const prompt = analysisPrompt(instruction, results);
  const { code } = await generateJson(languageModel, prompt, ANALYSIS_SCHEMA, request, history);
  return textOrEmpty(code);
}

/** One call whose answer is JSON of a schema. */
export async function generateJson(
  languageModel: LanguageModel,
  { system, user }: { readonly system: string; readonly user: string },
  responseSchema: JsonObject,
  { signal }: Pick<PlanRequest, "signal">,
  more: readonly ModelMessage[],
): Promise<JsonObject> {
  const request = { system, messages: [textMessage("user", user), ...more], tools: [], temperature: 0, responseSchema };
  let text = "";
  for await (const part of languageModel.stream(request, { signal, streaming: false })) {
    if (part.kind === "text-delta") text += part.text;
    if (part.kind === "finish") rejectIncompleteAnswer(part.reason);
  }
  return readJson(text);
}

/** Half an answer is none: JSON that ends in the middle could lack what matters. */
function rejectIncompleteAnswer(reason: FinishReason): void {
  if (reason === "length")
    throw new ModelAnswerError("MAX_TOKENS: the language model's answer exceeded its output limit.");
  if (reason === "safety") throw new ModelAnswerError("The language model's provider withheld its answer for safety.");
}

/** Models sometimes put JSON, or a statement alone, in a code fence. Other text is returned as a reply. */
function readJson(text: string): JsonObject {
  const fenced = fenceOf(text, text.lastIndexOf(FENCE));
  for (const body of [text, fenced?.body ?? ""]) {
    try {
      const value = JSON.parse(body) as JsonValue;
      return isJsonObject(value) ? value : {};
    } catch {
      // The next form.
    }
  }
  const sql = withoutFence(text);
  const isStatement = fenced && /^(sql|duckdb|postgresql|googlesql|)$/i.test(fenced.language) && STATEMENT.test(sql);
  return isStatement ? { kind: "query", sql } : { text };
}

const STATEMENT = /^(?:--[^\n]*\n\s*)*(?:select|with|from|pivot|unpivot|describe|summarize)\b/i;

/** What stands in the first code fence; the text where there is none. */
function withoutFence(text: string): string {
  return (fenceOf(text, text.indexOf(FENCE, text.indexOf(FENCE) + FENCE.length))?.body ?? text).trim();
}

const FENCE = "```";

/** The first code fence of a text, where it ends at `end`. Found by its marks: an expression would try each blank behind the first one as the last. */
function fenceOf(text: string, end: number): { readonly language: string; readonly body: string } | undefined {
  const start = text.indexOf(FENCE);
  if (start < 0 || end < start + FENCE.length) return undefined;
  const inside = text.slice(start + FENCE.length, end);
  const [language = ""] = /^\w*/.exec(inside) ?? [];
  return { language, body: inside.slice(language.length) };
}

function readPlan(answer: JsonObject, { analysisAllowed }: PlanRequest): Plan {
  const sql = withoutFence(textOrEmpty(answer.sql)).replace(/;\s*$/, "");
  const analysis = textOrEmpty(answer.analysis);
  if (answer.kind === "redraw") return readRedraw(answer, analysisAllowed);
  if (sql === "" || answer.kind === "reply") {
    const text = textOrEmpty(answer.text) || "I could not make a query of that question. Please ask in other words.";
    return { kind: "reply", text, followUps: textsIn(answer.follow_ups).slice(0, 3) };
  }
  const wantsChart = isJsonObject(answer.chart ?? null);
  return {
    kind: "query",
    name: snakeCase(textOrEmpty(answer.name)) || "result",
    sql,
    reasoning: textOrEmpty(answer.reasoning),
    ...(wantsChart && { chart: readChart(answer.chart) }),
    ...(analysisAllowed && analysis !== "" && { analysis }),
  };
}

/** A plan of the model to draw or analyze an earlier result. */
export function readRedraw(answer: JsonObject, analysisAllowed: boolean): RedrawPlan {
  const [result, analysis] = [textOrEmpty(answer.result), textOrEmpty(answer.analysis)];
  return {
    kind: "redraw",
    ...(isJsonObject(answer.chart ?? null) && { chart: readChart(answer.chart) }),
    ...(result !== "" && { result }),
    ...(analysisAllowed && analysis !== "" && { analysis }),
  };
}

/** The chart hint of a model's response. Absent fields are chosen from the rows. */
export function readChart(value: JsonValue | undefined): ChartHint {
  if (value === undefined || !isJsonObject(value)) return {};
  const mark = MARKS.find((one) => one === value.mark);
  const named = (key: string) => (textOrEmpty(value[key]) === "" ? {} : { [key]: textOrEmpty(value[key]) });
  return { ...definedFields({ mark }), ...named("x"), ...named("y"), ...named("series"), ...named("title") };
}

/** A message of one text. */
export function textMessage(role: ModelMessage["role"], text: string): ModelMessage {
  return { role, parts: [{ kind: "text", text }] };
}

/** A name for a result: lower case, digits and underscores. */
export function snakeCase(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 60);
}
