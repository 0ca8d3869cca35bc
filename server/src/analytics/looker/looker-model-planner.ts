import { create } from "@bufbuild/protobuf";
import { LookerQuerySchema } from "@frontdesk/protos/gda/context";
import { isJsonObject, type JsonObject, type Logger, objectsIn, textOrEmpty, textsIn } from "#base";
import type { LanguageModel, ModelMessage } from "#models";
import { createFallback } from "../plan/fallback.ts";
import {
  generateJson,
  ModelAnswerError,
  readChart,
  readRedraw,
  requestProgram,
  snakeCase,
  textMessage,
} from "../plan/model-planner.ts";
import { ANSWER_SCHEMA } from "../plan/response-schemas.ts";
import type { LookerPlan, LookerPlanner, LookerPlanRequest } from "./looker-planner.ts";
import { LOOKER_PLAN_SCHEMA, lookerAnswerPrompt, lookerPlanPrompt, writtenQuery } from "./looker-prompts.ts";

/** Plans with a language model. It sees the explores' fields and rows that were found; it reaches nothing itself. */
export function createLookerModelPlanner(languageModel: LanguageModel): LookerPlanner {
  return {
    verifiesAnswers: true,
    async plan(request, failed) {
      const history: ModelMessage[] = failed.flatMap(({ query, error }) => [
        textMessage("model", writtenQuery(query)),
        textMessage("user", `That query failed: ${error}\nAnswer with a corrected one.`),
      ]);
      const prompt = lookerPlanPrompt(request);
      return readPlan(await generateJson(languageModel, prompt, LOOKER_PLAN_SCHEMA, request, history), request);
    },
    async answer(request, plan, result) {
      const prompt = lookerAnswerPrompt(request, plan, result);
      const answer = await generateJson(languageModel, prompt, ANSWER_SCHEMA, request, []);
      if (textOrEmpty(answer.text) === "") throw new ModelAnswerError("The language model gave no answer in words.");
      return { text: textOrEmpty(answer.text), followUps: textsIn(answer.follow_ups).slice(0, 3) };
    },
    writeAnalysis: (request, instruction, results, failed) =>
      requestProgram(languageModel, request, instruction, results, failed),
  };
}

function readPlan(answer: JsonObject, { analysisAllowed }: LookerPlanRequest): LookerPlan {
  if (answer.kind === "redraw") return readRedraw(answer, analysisAllowed);
  if (answer.kind !== "query") {
    const text =
      textOrEmpty(answer.text) || "I could not make a query of that question. Please generateJson in other words.";
    return { kind: "reply", text, followUps: textsIn(answer.follow_ups).slice(0, 3) };
  }
  const filters = objectsIn(answer.filters);
  const limit = typeof answer.limit === "number" ? String(answer.limit) : textOrEmpty(answer.limit);
  return {
    kind: "query",
    name: snakeCase(textOrEmpty(answer.name)) || "result",
    query: create(LookerQuerySchema, {
      model: textOrEmpty(answer.model),
      explore: textOrEmpty(answer.explore),
      fields: [...textsIn(answer.fields)],
      filters: filters.map(({ field, value }) => ({ field: textOrEmpty(field), value: textOrEmpty(value) })),
      sorts: [...textsIn(answer.sorts)],
      ...(limit !== "" && { limit }),
    }),
    reasoning: textOrEmpty(answer.reasoning),
    ...(isJsonObject(answer.chart ?? null) && { chart: readChart(answer.chart) }),
    ...(analysisAllowed && textOrEmpty(answer.analysis) !== "" && { analysis: textOrEmpty(answer.analysis) }),
  };
}

/** A planner for one turn: the language model, and from its first failure on the rules, with a `warning`. */
export function withLookerRules(
  model: LookerPlanner,
  rules: LookerPlanner,
  logger: Logger,
): { readonly planner: LookerPlanner; readonly warning: () => string | undefined } {
  const either = createFallback(model, rules, logger);
  const planner: LookerPlanner = {
    get verifiesAnswers() {
      return either.warning === undefined;
    },
    plan: (request, failed) => either.ask(request.signal, (one) => one.plan(request, one === rules ? [] : failed)),
    answer: (request, plan, result) => either.ask(request.signal, (one) => one.answer(request, plan, result)),
    writeAnalysis: (request, ...program) => either.ask(request.signal, (one) => one.writeAnalysis(request, ...program)),
  };
  return { planner, warning: () => either.warning };
}
