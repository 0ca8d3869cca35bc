import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type AssistantChunkSchema,
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantSession,
} from "@frontdesk/protos/ces/assistant_session";
import type { RevisionRequest } from "#generation";
import type { FieldViolation } from "#status";
import type { PendingProposal } from "./proposals.ts";

/** Characters of a message. Longer material belongs into files. */
const MAX_MESSAGE = 100_000;
/** Messages of a session. */
export const MAX_MESSAGES = 1_000;

type Chunk = MessageInitShape<typeof AssistantChunkSchema>;

/** A message at a time. */
export function messageOf(
  role: "user" | "model",
  chunks: readonly Chunk[],
  now: number,
  attachedGcsUris: readonly string[] = [],
): AssistantMessage {
  const eventTime = timestampFromMs(Math.floor(now));
  return create(AssistantMessageSchema, {
    role,
    chunks: chunks.map((chunk) => ({ ...chunk, createTime: eventTime })),
    eventTime,
    attachedGcsUris: [...attachedGcsUris],
  });
}

/** A text as a part of a message. */
export function textChunk(text: string): Chunk {
  return { data: { case: "text", value: text } };
}

/** A change as a payload, for clients that read whole messages. */
export function proposalChunk({ id, proposal }: PendingProposal): Chunk {
  const { differences, patch, notes } = proposal;
  const value = { confirmation_id: id, differences: [...differences], patch, notes: [...notes] };
  return { data: { case: "typedPayload", value: { type: "proposal", displayName: "Proposed changes", value } } };
}

/** The words of a message. */
function textOf({ chunks }: Pick<AssistantMessage, "chunks">): string {
  return chunks.flatMap(({ data }) => (data.case === "text" ? [data.value] : [])).join("\n");
}

/** A session as a model reads it. */
export function conversationOf({ messages }: AssistantSession): RevisionRequest["conversation"] {
  return messages.flatMap((message) => {
    const text = textOf(message);
    if (text === "") return [];
    return [{ role: message.role === "user" ? ("user" as const) : ("assistant" as const), text }];
  });
}

/** What is wrong with the messages that a session is to begin with. */
export function seedViolations(messages: readonly AssistantMessage[], field: string): readonly FieldViolation[] {
  if (messages.length > MAX_MESSAGES)
    return [{ field, description: `There are ${messages.length} messages; at most ${MAX_MESSAGES}.` }];
  return messages.flatMap((message, position) => [
    ...(message.role === "user" || message.role === "model"
      ? []
      : [{ field: `${field}[${position}].role`, description: `'${message.role}' is not 'user' or 'model'.` }]),
    ...lengthViolations(textOf(message), `${field}[${position}].chunks`),
  ]);
}

/** Why a text is too long for a message; none where it is not. */
export function lengthViolations(text: string, field: string): readonly FieldViolation[] {
  if (text.length <= MAX_MESSAGE) return [];
  return [
    { field, description: `The text has ${text.length} characters; at most ${MAX_MESSAGE}. Attach a file instead.` },
  ];
}
