import type { StreamPart } from "#models";
import { say } from "#testing";
import type { Json } from "./received-turn.ts";
import type { AppSketch } from "./turn-app.ts";

/** What a triggered guardrail of these tests says. */
export const NO = { respondImmediately: { responses: [{ text: "Not that." }] } };

/** A filter of plain words, in a list of its field's name. */
export const contains = (field: string, ...words: readonly string[]) => ({
  contentFilter: { [field]: words, matchType: "SIMPLE_STRING_MATCH" },
});

/** One agent behind one guardrail, and whoever else is wanted. */
export const guarded = (guardrail: object, more: Readonly<Record<string, object>> = {}): AppSketch => ({
  agents: { Root: { guardrails: ["$APP/guardrails/the-filter"] }, ...more },
  guardrails: { Filter: guardrail },
});

/** Which guardrails judged, and whether they triggered. */
export const triggered = (spans: readonly Json[]) =>
  spans.map(({ attributes }) => [attributes.name, attributes.triggered]);

/** What a judge answers. */
export const verdict = (breaks: boolean): readonly StreamPart[] =>
  say(JSON.stringify({ triggered: breaks, reason: "as told" }));
