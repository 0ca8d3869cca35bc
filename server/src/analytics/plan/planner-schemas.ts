import type { JsonObject } from "#base";

/** The charts that a model may wish for. */
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

/** What a language model answers when it is asked for a plan. */
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

/** The rows told in words, and what may be asked next. */
export const ANSWER_SCHEMA: JsonObject = {
  type: "object",
  properties: { text: TEXT, follow_ups: TEXTS },
  required: ["text"],
};

/** A Python program. */
export const ANALYSIS_SCHEMA: JsonObject = { type: "object", properties: { code: TEXT }, required: ["code"] };
