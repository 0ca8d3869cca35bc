import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { JsonObject, JsonValue } from "#base";

/** What a server answered to `tools/call`: a response for model and callbacks, or what the tool itself says went wrong. */
export type McpAnswer =
  | { readonly kind: "answered"; readonly response: JsonObject }
  | { readonly kind: "failed"; readonly error: string };

/**
 * The answer of an MCP tool. `{"output": …}` holds the structured content, else the text (read as JSON where it is an object or
 * a list), so that model and callbacks see one shape (TSET-10). Pictures, sounds, links and resources are told by kind, media
 * type and size under `content`; their bytes are not for a prompt. `isError` is the tool's own failure.
 */
export function answerOf({ content, structuredContent, isError }: CallToolResult): McpAnswer {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const others = content.flatMap((block) => (block.type === "text" ? [] : [describeBlock(block)]));
  // A result has been through JSON on its way here.
  const structured = structuredContent as JsonValue | undefined;
  if (isError) return { kind: "failed", error: text || JSON.stringify(structured ?? "the tool gave no reason") };
  const output = structured ?? readText(text);
  return { kind: "answered", response: { output, ...(others.length > 0 && { content: others }) } };
}

/** Servers without structured content write their values as JSON text. A number or a word in a text stays what it reads like. */
function readText(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
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
        ...(block.description !== undefined && { description: block.description }),
        ...(block.mimeType !== undefined && { mimeType: block.mimeType }),
      };
    case "resource":
      return describeResource(block.resource);
  }
}

/** A text resource is meant to be read; of a binary one only the size says something. */
function describeResource(resource: Extract<ContentBlock, { type: "resource" }>["resource"]): JsonObject {
  const { uri, mimeType } = resource;
  const known = { type: "resource", uri, ...(mimeType !== undefined && { mimeType }) };
  return "text" in resource ? { ...known, text: resource.text } : { ...known, bytes: bytesIn(resource.blob) };
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, "base64");
}
