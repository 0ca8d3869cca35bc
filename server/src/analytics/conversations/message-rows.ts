import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Message, MessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { Clock } from "#base";
import type { ResourceRow } from "#storage";

/** Row type of messages of conversations about data. */
export const DATA_MESSAGE_TYPE = "frontdesk/DataMessage";

/** Gives messages their places: each is greater than all before it, in this process and, as time goes on, in earlier ones. */
export interface MessageOrder {
  next(): string;
}

/** Digits of a place: microseconds since the epoch, for the next ten thousand years. */
const DIGITS = 18;

/** Places are the microseconds of the clock, and one more than the last where the clock stands still or goes back. */
export function createMessageOrder(clock: Clock): MessageOrder {
  let last = 0;
  return {
    next() {
      last = Math.max(last + 1, Math.floor(clock.now() * 1_000));
      return String(last).padStart(DIGITS, "0");
    },
  };
}

/** The row of a message; its name ends in its place, so names are in the order of the conversation. */
export function toMessageRow(conversation: string, message: Message, place: string, now: number): ResourceRow {
  const time = message.timestamp ? timestampMs(message.timestamp) : now;
  return {
    name: `${conversation}/messages/${place}`,
    type: DATA_MESSAGE_TYPE,
    parent: conversation,
    displayName: "",
    createTime: time,
    updateTime: time,
    etag: "",
    body: toBinary(MessageSchema, message),
  };
}

/** The message of a row. */
export function fromMessageRow({ body }: ResourceRow): Message {
  return fromBinary(MessageSchema, body);
}
