import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  Conversation_ChannelType as ChannelType,
  type Conversation,
  type Conversation_Turn,
  ConversationSchema,
  Conversation_InputType as InputType,
  Conversation_TurnSchema as TurnSchema,
} from "@frontdesk/protos/ces/conversation";
import type { ConversationHead, TurnRow } from "#storage";

/** A stored conversation as the API's message (CONV-1); without `turns`, what a list shows. */
export function toConversation(head: ConversationHead, turns: readonly TurnRow[] = []): Conversation {
  return create(ConversationSchema, {
    name: head.name,
    startTime: timestampFromMs(Math.floor(head.startTime)),
    endTime: timestampFromMs(Math.floor(head.endTime)),
    turns: turns.map(({ body }) => toTurn(body)),
    turnCount: head.turnCount,
    channelType: channelOf(head.inputTypes),
    source: head.source,
    inputTypes: [...head.inputTypes],
    entryAgent: head.entryAgent,
    deployment: head.deployment,
    appVersion: head.appVersion,
    languageCode: head.languageCode,
  });
}

/** A stored turn. What was stored must be read again, however deep clients nested it. */
export function toTurn(body: Uint8Array): Conversation_Turn {
  return fromBinary(TurnSchema, body, { recursionLimit: 1_000 });
}

/** The deprecated channel type follows from the input types: audio, several media, else text. */
function channelOf(inputTypes: readonly InputType[]): ChannelType {
  const audio = inputTypes.includes(InputType.AUDIO);
  const seen = inputTypes.includes(InputType.IMAGE) || inputTypes.includes(InputType.BLOB);
  if (seen || (audio && inputTypes.includes(InputType.TEXT))) return ChannelType.MULTIMODAL;
  return audio ? ChannelType.AUDIO : ChannelType.TEXT;
}
