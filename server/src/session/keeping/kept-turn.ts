import { create, toBinary, toJson } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import type { TurnRow } from "#storage";
import type { Redactor } from "../redaction/contract.ts";
import { mapMessage } from "../redaction/map-message.ts";
import { mapSpan } from "../redaction/map-span.ts";
import { redactTexts } from "../redaction/redact-texts.ts";
import type { TurnExtra } from "../state/session-cache.ts";
import type { Signatures } from "../turn/recorder.ts";

/** What was said and done in a turn. */
export interface TurnRecord {
  readonly messages: readonly Message[];
  readonly rootSpan: Span;
  /** Messages that the client gave before the first turn. */
  readonly historicalContexts: readonly Message[];
}

/** The record as it may leave the running session: redacted when the app wants that. */
export async function redactedRecord(record: TurnRecord, redactor: Redactor | undefined): Promise<TurnRecord> {
  if (!redactor) return record;
  return redactTexts(redactor, record, ({ messages, rootSpan, historicalContexts }, change) => ({
    messages: messages.map((message) => mapMessage(message, change)),
    rootSpan: mapSpan(rootSpan, change),
    historicalContexts: historicalContexts.map((message) => mapMessage(message, change)),
  }));
}

/** The row of a turn. Of an unlogged one only what its session needs to go on: neither trace nor words to search. */
export function keptTurn(
  index: number,
  { messages, rootSpan, historicalContexts }: TurnRecord,
  signatures: Signatures,
  hidden: boolean,
): TurnRow {
  const turn = create(Conversation_TurnSchema, { messages: [...messages], ...(!hidden && { rootSpan }) });
  return {
    index,
    body: toBinary(Conversation_TurnSchema, turn),
    extra: extraOf(signatures, historicalContexts),
    text: hidden ? "" : wordsOf(messages),
  };
}

/** What the messages cannot hold; "" when there is nothing. */
function extraOf(signatures: Signatures, contexts: readonly Message[]): string {
  const extra: TurnExtra = {
    ...(Object.keys(signatures).length > 0 && { signatures }),
    ...(contexts.length > 0 && { historicalContexts: contexts.map((message) => toJson(MessageSchema, message)) }),
  };
  return Object.keys(extra).length === 0 ? "" : JSON.stringify(extra);
}

/** The words that were said, for full-text search. */
function wordsOf(messages: readonly Message[]): string {
  return messages
    .flatMap(({ chunks }) =>
      chunks.flatMap(({ data }) => (data.case === "text" || data.case === "transcript" ? [data.value] : [])),
    )
    .join("\n");
}
