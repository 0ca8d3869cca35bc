import type { JsonObject } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import { doesNotLoad } from "../../api/does-not-load.ts";

/** Something that did not run in a turn that was answered all the same. */
export interface TurnFailure {
  /** What it is, e.g. `before_model callback of Front desk` or `Tool look_up`. */
  readonly subject: string;
  readonly text: string;
}

/**
 * What failed in a turn, by its trace: code that does not load, and spans with an error. A guardrail that acted did not fail;
 * a failed tool is shown at its call.
 */
export function turnFailures(root: Span): readonly TurnFailure[] {
  return [...loadFailures(root).map((text) => ({ subject: "", text })), ...root.childSpans.flatMap(failuresBelow)];
}

/** Warnings of a turn about code that does not load: the model was not offered such a tool. */
export function loadFailures({ attributes = {} }: Span): readonly string[] {
  const { warnings } = attributes;
  return Array.isArray(warnings) ? warnings.map(String).filter(doesNotLoad) : [];
}

function failuresBelow(span: Span): readonly TurnFailure[] {
  const { error } = span.attributes ?? {};
  const own =
    typeof error === "string" && error !== "" && span.name !== "Tool"
      ? [{ subject: subjectOf(span), text: error }]
      : [];
  return [...own, ...span.childSpans.flatMap(failuresBelow)];
}

function subjectOf({ name, attributes = {} }: Span): string {
  const agent = textOf(attributes, "agent");
  if (name === "Callback") return `Callback ${textOf(attributes, "stage")} of ${agent}`;
  return [name, textOf(attributes, "name") || textOf(attributes, "model") || agent].filter(Boolean).join(" ");
}

function textOf(attributes: JsonObject, name: string): string {
  const value = attributes[name];
  return typeof value === "string" ? value : "";
}
