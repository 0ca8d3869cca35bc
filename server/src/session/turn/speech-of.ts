import type { ModelPart } from "#models";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import { spokenPart } from "./events.ts";
import { customizedResponse } from "./speech-settings.ts";

type Call = Extract<ModelPart, { kind: "function-call" }>;
type Offered = Pick<OfferedTools, "byName">;

/** customize_response is what it says; how, is for voices. */
export function asSpeech(part: ModelPart, { byName }: Offered): ModelPart {
  if (part.kind !== "function-call" || part.name !== "customize_response" || !byName.has(part.name)) return part;
  return customizedResponse(part.args);
}

/** The words that belong to a call, such as the text of a widget. */
export function saidWith({ name, args }: Call, { byName }: Offered): readonly ModelPart[] {
  const userText = byName.get(name)?.userText;
  if (!userText) return [];
  const text = "text" in userText ? userText.text : args[userText.parameter];
  return typeof text === "string" ? [{ kind: "text", text }] : [];
}

/** All that an answer would say to the user, whichever way (GUARD-6): what guardrails judge. */
export function wordsOf(parts: readonly ModelPart[], offered: Offered): string {
  return parts
    .map((part) => asSpeech(part, offered))
    .flatMap((part) => (part.kind === "function-call" ? saidWith(part, offered) : [part]))
    .map((part) => spokenPart(part)?.output)
    .map((output) => (output?.case === "text" ? output.value : ""))
    .join("");
}
