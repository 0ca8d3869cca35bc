import type { JsonObject } from "#base";
import { type ConnectError, toErrorBody } from "#status";
import type { Answer } from "./tool.ts";

/**
 * The text of a tool result: the answer as JSON in the first text, as every client reads it, and as `structuredContent` (MCP-8). A large
 * answer is rendered once.
 */
export function resultText({ json, texts = [] }: Answer): string {
  const rendered = JSON.stringify(json);
  const more = texts.map((text) => `,{"type":"text","text":${JSON.stringify(text)}}`).join("");
  return `{"content":[{"type":"text","text":${JSON.stringify(rendered)}}${more}],"structuredContent":${rendered}}`;
}

/** One sentence for a person, then the same body that REST answers, for a program. */
export function errorText(error: ConnectError): string {
  const body = toErrorBody(error) as unknown as JsonObject;
  const text = `${error.rawMessage}\n${JSON.stringify(body)}`;
  return JSON.stringify({ content: [{ type: "text", text }], structuredContent: body, isError: true });
}
