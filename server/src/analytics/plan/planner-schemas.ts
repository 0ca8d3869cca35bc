import type { JsonObject } from "#base";

const TEXT: JsonObject = { type: "string" };
const TEXTS: JsonObject = { type: "array", items: TEXT };

/** What a language model answers when it is asked for a plan. */
export const PLAN_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["query", "redraw", "reply"] },
    reasoning: TEXT,
    name: TEXT,
    sql: TEXT,
    chart: {
      type: "object",
      properties: {
        mark: {
          type: "string",
          enum: ["bar", "horizontal-bar", "stacked-bar", "line", "area", "scatter", "pie", "heatmap"],
        },
        x: TEXT,
        y: TEXT,
        series: TEXT,
        title: TEXT,
      },
    },
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
