import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelMessage, ModelPart } from "#models";

/** A part as the guest's `Part` reads it: snake_case, bytes in base64. */
export function toPythonPart(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "blob":
      return { inline_data: { mime_type: part.mimeType, data: Buffer.from(part.data).toString("base64") } };
    case "function-call":
      return { function_call: { id: part.id, name: part.name, args: part.args } };
    case "function-response":
      return { function_response: { id: part.id, name: part.name, response: part.response } };
  }
}

/** A `Content`. */
export function toPythonContent(role: string, parts: readonly ModelPart[]): JsonObject {
  return { role, parts: parts.map(toPythonPart) };
}

/** The parts of a `Content`, in order; what is no part of ours is left out. */
export function fromPythonContent(content: JsonValue | undefined): readonly ModelPart[] {
  const parts = isJsonObject(content) ? content.parts : undefined;
  return Array.isArray(parts) ? parts.flatMap(fromPythonPart) : [];
}

/** The messages of an edited `LlmRequest.contents`. */
export function fromPythonContents(contents: JsonValue | undefined): readonly ModelMessage[] {
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((content) => {
    const parts = fromPythonContent(content);
    if (parts.length === 0) return [];
    return [{ role: isJsonObject(content) && content.role === "user" ? "user" : "model", parts }];
  });
}

function fromPythonPart(part: JsonValue): readonly ModelPart[] {
  if (!isJsonObject(part)) return [];
  const { text, inline_data, function_call, function_response } = part;
  if (typeof text === "string") return [{ kind: "text", text }];
  if (isJsonObject(function_call)) {
    const { id, name, args } = function_call;
    return [{ kind: "function-call", id: textOf(id), name: textOf(name), args: isJsonObject(args) ? args : {} }];
  }
  if (isJsonObject(function_response)) {
    const { id, name, response } = function_response;
    return [
      {
        kind: "function-response",
        id: textOf(id),
        name: textOf(name),
        response: isJsonObject(response) ? response : {},
      },
    ];
  }
  if (isJsonObject(inline_data)) {
    const { mime_type, data } = inline_data;
    return [{ kind: "blob", mimeType: textOf(mime_type), data: Buffer.from(textOf(data), "base64") }];
  }
  return [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/**
 * Puts thought signatures back on parts that went through Python, which knows none: calls are found by id, text by its words.
 */
export function restoreSignatures(parts: readonly ModelPart[], originals: readonly ModelPart[]): readonly ModelPart[] {
  const signed = originals.filter((part) => "signature" in part && part.signature !== undefined);
  if (signed.length === 0) return parts;
  return parts.map((part) => {
    const original = signed.find((candidate) => isSamePart(candidate, part));
    return original && "signature" in original ? ({ ...part, signature: original.signature } as ModelPart) : part;
  });
}

function isSamePart(one: ModelPart, other: ModelPart): boolean {
  if (one.kind === "text") return other.kind === "text" && other.text === one.text;
  if (one.kind === "function-call")
    return other.kind === "function-call" && other.id === one.id && other.name === one.name;
  return false;
}
