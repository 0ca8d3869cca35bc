import type { JsonObject } from "@bufbuild/protobuf";
import type { Turn } from "../simulator/turn.ts";
import { turnLines } from "../simulator/turn-lines.ts";

/** A tool that a turn called, and what it answered first. */
export interface CalledTool {
  readonly name: string;
  readonly response: JsonObject;
}

/** The tools of a turn whose results can be replaced, each once. */
export function calledTools(turn: Turn, known: readonly string[]): readonly CalledTool[] {
  const called = new Map<string, JsonObject>();
  for (const line of turnLines(turn))
    if (line.kind === "tool" && line.response && known.includes(line.name) && !called.has(line.name))
      called.set(line.name, line.response);
  return [...called].map(([name, response]) => ({ name, response }));
}

/** The agents that took part in a turn, the one that spoke last first. */
export function agentsOfTurn({ rootSpan }: Turn): readonly string[] {
  const named = [rootSpan, ...(rootSpan?.childSpans ?? []).toReversed()].flatMap((span) => {
    const agent = span?.attributes?.agent;
    return typeof agent === "string" && agent ? [agent] : [];
  });
  return [...new Set(named)];
}
