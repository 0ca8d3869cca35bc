import type { JsonObject } from "#base";
import { type ConnectError, toErrorBody } from "#status";
import type { ToolResult } from "./tool.ts";

/**
 * The text of a tool result: the JSON as the first text, which every client reads, and as `structuredContent` (MCP-8). It is rendered
 * once.
 */
export function resultText({ json, texts = [] }: ToolResult): string {
  const rendered = JSON.stringify(json);
  const more = texts.map((text) => `,{"type":"text","text":${JSON.stringify(text)}}`).join("");
  return `{"content":[{"type":"text","text":${JSON.stringify(rendered)}}${more}],"structuredContent":${rendered}}`;
}

/** The text of an error result: the message for people, then the error body of REST for programs. */
export function errorText(error: ConnectError): string {
  const body = toErrorBody(error) as unknown as JsonObject;
  const text = `${error.rawMessage}\n${JSON.stringify(body)}`;
  return JSON.stringify({ content: [{ type: "text", text }], structuredContent: body, isError: true });
}
