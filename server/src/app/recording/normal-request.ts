import { createHash } from "node:crypto";
import { type JsonObject, sortedJson } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "#models";
import type { NormalRequest } from "./recording.ts";

/** A model request in the form that recordings have and replays compare. */
export function normalRequest({ caller = "", messages }: ModelRequest): NormalRequest {
  return {
    agent: caller,
    messages: withoutContext(messages).map(({ role, parts }) => ({ role, parts: parts.map(normalPart) })),
  };
}

/** The messages with what other agents did as it happened, not as the agent gets it: recordings do not depend on those words. */
function withoutContext(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const normal: ModelMessage[] = [];
  let joins = false;
  for (const message of messages) {
    const isContext = message.parts.some((part) => part.kind === "text" && part.presents !== undefined);
    const originals = isContext ? message.parts.flatMap(originalMessage) : [message];
    joins ||= isContext;
    for (const { role, parts } of originals) {
      const last = normal.at(-1);
      if (joins && last?.role === role) normal[normal.length - 1] = { role, parts: [...last.parts, ...parts] };
      else normal.push({ role, parts });
    }
    joins = isContext;
  }
  return normal;
}

function originalMessage(part: ModelPart): readonly ModelMessage[] {
  const presented = part.kind === "text" ? part.presents : [part];
  if (!presented) return [{ role: "user", parts: [part] }];
  return presented.map((one) => ({ role: one.kind === "function-response" ? "user" : "model", parts: [one] }));
}

function normalPart(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text.replace(/\s+/g, " ").trim() };
    case "blob":
      return { blob: part.mimeType, sha256: createHash("sha256").update(part.data).digest("hex") };
    case "function-call":
      return { call: part.name, args: sortedJson(part.args) };
    case "function-response":
      return { response: part.name, value: sortedJson(part.response) };
  }
}
