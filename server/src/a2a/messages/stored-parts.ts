import { clone } from "@bufbuild/protobuf";
import { type Message, MessageSchema, type Part } from "@frontdesk/protos/a2a/a2a";
import { textPart } from "./to-parts.ts";

/** Largest file that the history of a task keeps, bytes (A2A-14). */
const MAX_KEPT_FILE = 64 * 1024;

/** A user's message for the history of its task: a large file is only named there. */
export function historyMessage(message: Message, contextId: string, taskId: string): Message {
  const copy = clone(MessageSchema, message);
  copy.contextId = contextId;
  copy.taskId = taskId;
  copy.parts = message.parts.map(storedPart);
  return copy;
}

function storedPart(part: Part): Part {
  if (part.content.case !== "raw" || part.content.value.length <= MAX_KEPT_FILE) return part;
  const names = [part.filename, part.mediaType].filter(Boolean).join(", ");
  return textPart(`[File ${names}: ${part.content.value.length} bytes]`);
}
