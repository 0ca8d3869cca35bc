import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelPart } from "#models";
import { fromPythonContent, toPythonContent } from "./python-content.ts";

/** What a model, or a callback in its place, answered. */
export interface ModelOutput {
  readonly parts: readonly ModelPart[];
  /** From a callback: say this now, and go on with the model call (CB-12). */
  readonly partial: boolean;
}

/** The output as the guest's `LlmResponse` reads it. */
export function toLlmResponse(output: ModelOutput): JsonObject {
  return { content: toPythonContent("model", output.parts), partial: output.partial, turn_complete: !output.partial };
}

/**
 * A value that a model callback returned (CB-8). `LlmResponse` is what is asked for; a `Content`, or a dict of either shape, is
 * common in the wild and means the same.
 */
export function fromLlmResponse(value: JsonValue, returnType: string): ModelOutput | undefined {
  if (!isJsonObject(value)) return undefined;
  if (returnType === "LlmResponse" || isJsonObject(value.content)) {
    return { parts: fromPythonContent(value.content), partial: value.partial === true };
  }
  return returnType === "Content" || Array.isArray(value.parts)
    ? { parts: fromPythonContent(value), partial: false }
    : undefined;
}

/** A value that an agent callback returned: a `Content`, or what holds one. */
export function fromContent(value: JsonValue, returnType: string): readonly ModelPart[] | undefined {
  return fromLlmResponse(value, returnType)?.parts;
}

/** The words of an output. */
export function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
}
