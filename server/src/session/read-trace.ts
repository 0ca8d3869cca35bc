import type { Span } from "@frontdesk/protos/ces/common";
import { type JsonObject, objectsIn, textsIn } from "#base";

/** All spans of a trace, the root first, each before those below it. */
export function spansOf(span: Span): readonly Span[] {
  return [span, ...span.childSpans.flatMap(spansOf)];
}

/** The calls of tools that code of a span made, at any depth. */
export function nestedCalls({ calls }: JsonObject): readonly JsonObject[] {
  return objectsIn(calls).flatMap((call) => [call, ...nestedCalls(call)]);
}

/** The warnings of a turn's root span about code that does not load. */
export function brokenCode({ warnings }: JsonObject = {}): readonly string[] {
  return textsIn(warnings).filter((warning) => /\bdoes not load\b/.test(warning));
}
