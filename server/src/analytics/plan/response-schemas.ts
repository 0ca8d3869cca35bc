import type { JsonObject } from "#base";
import { QUERY_PROPERTIES } from "../defined/read-query.ts";

/** The charts that a model can request. */
export const MARKS = ["bar", "horizontal-bar", "stacked-bar", "line", "area", "scatter", "pie", "heatmap"] as const;

/** A text in a model's answer. */
export const TEXT: JsonObject = { type: "string" };
/** A list of texts. */
export const TEXTS: JsonObject = { type: "array", items: TEXT };

/** How rows are to be drawn. */
export const CHART: JsonObject = {
  type: "object",
  properties: { mark: { type: "string", enum: [...MARKS] }, x: TEXT, y: TEXT, series: TEXT, title: TEXT },
};

/** The response of a language model with a plan. */
export const PLAN_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["query", "redraw", "reply"] },
    reasoning: TEXT,
    name: TEXT,
    sql: TEXT,
    chart: CHART,
    analysis: TEXT,
    result: TEXT,
    text: TEXT,
    follow_ups: TEXTS,
  },
  required: ["kind"],
};

/** The same, for a data agent with a semantic model. */
export const MODEL_PLAN_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    ...(PLAN_SCHEMA.properties as JsonObject),
    kind: { type: "string", enum: ["metrics", "query", "redraw", "reply"] },
    ...QUERY_PROPERTIES,
  },
  required: ["kind"],
};

/** The answer in words, and follow-up questions. */
export const ANSWER_SCHEMA: JsonObject = {
  type: "object",
  properties: { text: TEXT, follow_ups: TEXTS },
  required: ["text"],
};

/** A Python program. */
export const ANALYSIS_SCHEMA: JsonObject = { type: "object", properties: { code: TEXT }, required: ["code"] };
