import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { MessageSchema } from "@frontdesk/protos/ces/example";

/** Parses the history of a session as it was typed into messages in JSON, or returns the error. */
export function parseHistory(text: string): { readonly value?: readonly JsonValue[]; readonly error?: string } {
  const typed = text.trim();
  if (typed === "") return { value: [] };
  return typed.startsWith("[") ? readJson(typed) : readLines(typed);
}

function readJson(text: string): ReturnType<typeof parseHistory> {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return { error: "Enter a JSON array of messages." };
    for (const message of value) fromJson(MessageSchema, message);
    return { value };
  } catch (error) {
    return { error: `Invalid messages: ${error instanceof Error ? error.message : "they can't be parsed"}` };
  }
}

function readLines(text: string): ReturnType<typeof parseHistory> {
  const value: JsonValue[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, role, text = ""] = /^\s*([^:]{1,60}):\s*(.*)$/.exec(line) ?? [];
    if (role === undefined)
      return { error: `“${line.slice(0, 40)}” has no role. Start the line with “user:” or “agent:”.` };
    value.push({ role: role.trim().toLowerCase() === "user" ? "user" : role.trim(), chunks: [{ text }] });
  }
  return { value };
}

/** The history as text of its field. */
export function formatHistory(history: readonly JsonValue[]): string {
  return history.length === 0 ? "" : JSON.stringify(history, null, 2);
}
