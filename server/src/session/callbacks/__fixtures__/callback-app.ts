import type { Span } from "@frontdesk/protos/ces/common";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";

/** A before_model callback with this body; other stages likewise. */
export const beforeModel = (body: string) => define("before_model_callback(callback_context, llm_request)", body);

export const beforeAgent = (body: string) => define("before_agent_callback(callback_context)", body);

export function define(signature: string, body: string): string {
  return `def ${signature}:\n${body
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")}\n`;
}

export function spans(outputs: readonly SessionOutput[]): readonly Span[] {
  return outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans ?? [];
}

export function callbackSpans(outputs: readonly SessionOutput[]): readonly JsonObject[] {
  return spans(outputs).flatMap(({ name, attributes }) =>
    name === "Callback" && attributes ? [attributes as JsonObject] : [],
  );
}

export function updates(outputs: readonly SessionOutput[]): readonly unknown[] {
  const messages = outputs.at(-1)?.diagnosticInfo?.messages ?? [];
  return messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "updatedVariables" ? [data.value] : [])),
  );
}

export const ECHO = `def echo(text: str) -> dict:\n  """Repeats.\n\n  Args:\n    text: what to repeat\n  """\n  return {"said": text}\n`;
