import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { definedFields, isJsonObject, type JsonObject, type JsonValue, parseJson } from "#base";

/** The result of `tools/call`: a function response, or the tool's own error message. */
type McpToolResult =
  | { readonly kind: "answered"; readonly response: JsonObject }
  | {
      readonly kind: "failed";
      readonly error: string;
      /** What the tool said besides: members of the function response like those of an answer. */
      readonly more: JsonObject;
    };

/**
 * Converts the result of an MCP tool. `{"output": …}` holds the structured content, else the text (parsed as JSON when it is an object
 * or an array), so that model and callbacks see one shape (TSET-10). Text beside structured content that says something else is listed under
 * `content`, and so are images, audio, links and resources, by type, media type and size, because their bytes do not belong in a prompt. `isError`
 * is a failure of the tool itself, which is told with all that came with it (MCP-11).
 */
export function readToolResult({ content, structuredContent, isError }: CallToolResult): McpToolResult {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const others = content.flatMap((block) => (block.type === "text" ? [] : [describeBlock(block)]));
  // The result was parsed from JSON.
  const structured = structuredContent as JsonValue | undefined;
  if (isError) return toolFailure(text, structured ?? undefined, others);
  if (structured === undefined || structured === null) return answered(parseText(text), others);
  if (text.trim() === "") return answered(structured, others);
  const said = parseText(text);
  // The text has the numbers as they were written; the library has read the structured content (PY-42).
  if (isDeepStrictEqual(said, structured)) return answered(said, others);
  return answered(structured, isValueOf(structured, said) ? others : [{ type: "text", text }, ...others]);
}

/** A tool's own error. What its text has already is not repeated. */
function toolFailure(text: string, structured: JsonValue | undefined, others: readonly JsonObject[]): McpToolResult {
  const isSaid = structured === undefined || isDeepStrictEqual(parseText(text), structured);
  const reason = others.length > 0 ? "see its content" : "the tool gave no reason";
  return {
    kind: "failed",
    error: text || (structured === undefined ? reason : JSON.stringify(structured)),
    more: { ...(!isSaid && { output: structured }), ...(others.length > 0 && { content: [...others] }) },
  };
}

function answered(output: JsonValue, others: readonly JsonObject[]): McpToolResult {
  return { kind: "answered", response: { output, ...(others.length > 0 && { content: [...others] }) } };
}

/** Whether a text is the value of the one field `result`, in which servers wrap what is no object. */
function isValueOf(structured: JsonValue, said: JsonValue): boolean {
  if (!isJsonObject(structured) || Object.keys(structured).length !== 1) return said === String(structured);
  const { result } = structured;
  return isDeepStrictEqual(said, result) || said === String(result);
}

/** Servers without structured content write values as JSON text. Text that is only a number or a word stays text. */
function parseText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function describeBlock(block: Exclude<ContentBlock, { type: "text" }>): JsonObject {
  switch (block.type) {
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, bytes: bytesIn(block.data) };
    case "resource_link":
      return {
        type: "resource_link",
        uri: block.uri,
        name: block.name,
        ...definedFields({
          ...{ title: block.title, description: block.description, mimeType: block.mimeType },
          bytes: block.size,
        }),
      };
    case "resource":
      return describeResource(block.resource);
  }
}

/** A text resource with its text, a binary one with its size. */
function describeResource(resource: Extract<ContentBlock, { type: "resource" }>["resource"]): JsonObject {
  const { uri, mimeType } = resource;
  const known = { type: "resource", uri, ...definedFields({ mimeType }) };
  return "text" in resource ? { ...known, text: resource.text } : { ...known, bytes: bytesIn(resource.blob) };
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}
