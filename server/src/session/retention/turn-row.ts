import { create, toBinary, toJson } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { definedFields } from "#base";
import type { TurnRow } from "#storage";
import { marksOf, withoutMarks } from "../conversations/turn-marks.ts";
import type { Redactor } from "../redaction/contract.ts";
import { mapMessage, mapSpan } from "../redaction/map-texts.ts";
import { redactTexts } from "../redaction/redact-texts.ts";
import { spelledValues } from "../state/spelled-values.ts";
import type { TurnExtra } from "../state/stored-sessions.ts";

/** The record of a turn. */
interface TurnRecord {
  readonly messages: readonly Message[];
  readonly rootSpan: Span;
  /** Messages that the client gave before the first turn. */
  readonly historicalContexts: readonly Message[];
}

/** What the session needs of a turn and its messages cannot hold. */
type TurnNotes = Pick<TurnExtra, "blockedInput" | "key"> & Required<Pick<TurnExtra, "signatures">>;

/** The record as it may be stored and observed: redacted when the app enables redaction (CONV-13). */
export async function redactedRecord(record: TurnRecord, redactor: Redactor | undefined): Promise<TurnRecord> {
  if (!redactor) return record;
  return redactTexts(redactor, record, ({ messages, rootSpan, historicalContexts }, change) => ({
    messages: messages.map((message) => mapMessage(message, change)),
    rootSpan: mapSpan(rootSpan, change),
    historicalContexts: historicalContexts.map((message) => mapMessage(message, change)),
  }));
}

/** The stored row of a turn. A hidden turn has only what its session needs to continue: no trace and no text for search. */
export function toTurnRow(
  index: number,
  { messages, rootSpan, historicalContexts }: TurnRecord,
  notes: TurnNotes,
  hidden: boolean,
): TurnRow {
  const turn = create(Conversation_TurnSchema, { messages: [...messages], ...(!hidden && { rootSpan }) });
  return {
    index,
    body: toBinary(Conversation_TurnSchema, turn),
    extra: extraOf(messages, notes, historicalContexts),
    text: hidden ? "" : searchTextOf(messages, rootSpan),
  };
}

/** The stored row of a turn that may not be recorded: its session gets the messages until `settle`, and nothing else does (CONV-27). */
export function toWithheldRow(index: number, { messages, historicalContexts }: TurnRecord, notes: TurnNotes): TurnRow {
  const turn = create(Conversation_TurnSchema, { messages: [...messages] });
  const withheld = Buffer.from(toBinary(Conversation_TurnSchema, turn)).toString("base64");
  const extra: TurnExtra = { ...JSON.parse(extraOf(messages, notes, historicalContexts) || "{}"), withheld };
  return { index, body: new Uint8Array(), extra: JSON.stringify(extra), text: "", withheld: true };
}

/** What messages cannot hold; "" when there is nothing. */
function extraOf(
  messages: readonly Message[],
  { signatures, blockedInput, key }: TurnNotes,
  contexts: readonly Message[],
): string {
  const values = spelledValues(messages);
  const extra: TurnExtra = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(signatures).length > 0 && { signatures }),
    ...definedFields({ blockedInput, key }),
    ...(contexts.length > 0 && { historicalContexts: contexts.map((message) => toJson(MessageSchema, message)) }),
  };
  return Object.keys(extra).length === 0 ? "" : JSON.stringify(extra);
}

/** The texts of a turn for full-text search, behind what else it is found by (CONV-28): of very long texts the end is not indexed. */
function searchTextOf(messages: readonly Message[], rootSpan: Span): string {
  const said = messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "text" || data.case === "transcript" ? [data.value] : [])),
  );
  return [...marksOf(messages, rootSpan), withoutMarks(said.join("\n"))].join("\n");
}
