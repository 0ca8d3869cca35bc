import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Message,
  MessageSchema,
  type SystemMessageSchema,
  TextMessage_TextType as TextType,
} from "@frontdesk/protos/gda/data_chat_service";
import { type Clock, definedFields, type Ids } from "#base";

type SystemMessage = MessageInitShape<typeof SystemMessageSchema>;
/** The kind of a system message. */
type MessageKind = NonNullable<SystemMessage["kind"]>;

/** Makes the messages of one turn: ids, times, and the group they belong to. */
export interface MessageWriter {
  /** Begins a new group. Clients show the messages of a group together. */
  nextGroup(): void;
  /** Sets the activity that heartbeats name. */
  setActivity(activity: string): void;
  /** A PROGRESS message with the current activity. */
  heartbeat(): Message;
  message(kind: MessageKind, citation?: SystemMessage["citation"]): Message;
  /** `warnings`: doubts about what the text says. */
  text(
    type: TextType,
    parts: readonly string[],
    citation?: SystemMessage["citation"],
    warnings?: readonly string[],
  ): Message;
  error(text: string): Message;
}

/** Groups are numbered from 0 within a turn. */
export function createMessageWriter({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): MessageWriter {
  let groupId = 0;
  let activity = "Reading the context";
  let since = clock.now();
  const writer: MessageWriter = {
    nextGroup() {
      groupId += 1;
    },
    setActivity(next) {
      activity = next;
      since = clock.now();
    },
    heartbeat: () =>
      writer.text(TextType.PROGRESS, [
        `${activity} (${Math.max(1, Math.round((clock.now() - since) / 1000))} s so far)`,
      ]),
    message: (kind, citation) =>
      create(MessageSchema, {
        timestamp: timestampFromMs(Math.floor(clock.now())),
        messageId: ids.uuid(),
        kind: { case: "systemMessage", value: { kind, groupId, ...definedFields({ citation }) } },
      }),
    text: (textType, parts, citation, warnings = []) =>
      writer.message({ case: "text", value: { parts: [...parts], textType, warnings: [...warnings] } }, citation),
    error: (text) => writer.message({ case: "error", value: { text } }),
  };
  return writer;
}

export { TextType };
