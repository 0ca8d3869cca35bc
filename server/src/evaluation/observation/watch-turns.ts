import type { Span } from "@frontdesk/protos/ces/common";
import { isJsonObject, type JsonObject } from "#base";
import { brokenCode, nestedCalls, type SessionEngine, spansOf } from "#session";
import { millisecondsOf } from "./durations.ts";

/** What a turn took, and what failed in it, whatever was expected of it. */
export interface TurnFacts {
  readonly durationMs: number;
  /** A sentence for each failure of a callback, tool, guardrail or model (EVAL-97). */
  readonly faults: readonly string[];
}

/** The sessions, and the facts of each turn that is taken by them, in order. */
export function watchTurns(sessions: Pick<SessionEngine, "runTurn">): {
  readonly sessions: Pick<SessionEngine, "runTurn">;
  readonly turns: readonly TurnFacts[];
} {
  const turns: TurnFacts[] = [];
  const runTurn: SessionEngine["runTurn"] = async function* (request) {
    for await (const event of sessions.runTurn(request)) {
      if (event.kind === "turn-completed")
        turns.push({ durationMs: millisecondsOf(event.rootSpan.duration), faults: faultsIn(event.rootSpan) });
      yield event;
    }
  };
  return { sessions: { runTurn }, turns };
}

/** What a span's failure is called, by the span's name. */
const LABELS: Readonly<Record<string, (attributes: JsonObject) => string>> = {
  Callback: ({ stage, agent }) => `The callback ${stage} of '${agent}' failed`,
  Tool: ({ name }) => `The tool '${name}' failed`,
  Guardrail: ({ name }) => `The guardrail '${name}' failed`,
  LLM: ({ model }) => `The model '${model}' failed`,
};

/** Characters of one failure: tools may answer with whole pages. */
const MOST_CHARACTERS = 500;

/** The failures of a turn, each once. */
function faultsIn(rootSpan: Span): readonly string[] {
  const found = spansOf(rootSpan).flatMap(({ name, attributes = {} }) => [
    ...faultOf(LABELS[name], attributes),
    ...nestedCalls(attributes).flatMap((call) => faultOf(LABELS.Tool, call)),
  ]);
  return [...new Set([...found, ...brokenCode(rootSpan.attributes)])];
}

function faultOf(label: ((attributes: JsonObject) => string) | undefined, attributes: JsonObject): readonly string[] {
  const { error, frames } = attributes;
  if (!label || typeof error !== "string") return [];
  return [`${label(attributes)}: ${error.slice(0, MOST_CHARACTERS)}${placeOf(frames, error)}`];
}

/** ` (tools/…/python_code.py, line 12)`: the last line of a traceback, unless the error says it. */
function placeOf(frames: JsonObject[string] | undefined, error: string): string {
  const last = Array.isArray(frames) ? frames.at(-1) : undefined;
  if (!isJsonObject(last) || typeof last.filename !== "string" || error.includes(last.filename)) return "";
  return ` (${last.filename}, line ${last.line})`;
}
