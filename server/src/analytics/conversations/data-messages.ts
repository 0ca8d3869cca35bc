import {
  type ListMessagesRequest,
  ListMessagesRequestSchema,
  type Message,
  MessageSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import { compileFilter, decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import type { ResourceRow, ResourceStore } from "#storage";
import { PAGES } from "../agents/list-agents.ts";
import { DATA_MESSAGE_TYPE, fromMessageRow } from "./message-rows.ts";

/** The messages of conversations. */
export interface DataMessages {
  /** Newest first. Does not check that the conversation exists. */
  list(
    request: ListMessagesRequest,
  ): Promise<{ readonly messages: readonly Message[]; readonly nextPageToken: string }>;
  /** The latest part of a conversation that a new question is read with, oldest first. */
  history(conversation: string): Promise<readonly Message[]>;
}

const ROWS_AT_A_TIME = 100;
/** What a new question is read with at most: older turns are left out whole rows at a time. */
const HISTORY_ROWS = 400;
const HISTORY_BYTES = 16 * 1_048_576;

/** The two times by which ListMessages filters are one: messages never change. */
const ALIASES = {
  create_time: "timestamp",
  createTime: "timestamp",
  update_time: "timestamp",
  updateTime: "timestamp",
};

/** Reads messages from the store of resources, in the order of their names. */
export function createDataMessages(store: Pick<ResourceStore, "list">): DataMessages {
  const page = (conversation: string, limit: number, after: string | undefined) =>
    store.list({
      type: DATA_MESSAGE_TYPE,
      parent: conversation,
      orderBy: "name",
      descending: true,
      limit,
      ...(after && { after: [after, after] as const }),
    });

  return {
    async list(request) {
      const size = pageSizeOf(request.pageSize, PAGES);
      const checksum = requestChecksum(ListMessagesRequestSchema, request);
      const test = compileFilter(MessageSchema, request.filter, { aliases: ALIASES });
      const found: { readonly row: ResourceRow; readonly message: Message }[] = [];
      let after = decodePageToken(request.pageToken, checksum, "name");
      for (;;) {
        const { rows, last } = await page(request.parent, ROWS_AT_A_TIME, after);
        const messages = rows.map((row) => ({ row, message: fromMessageRow(row) }));
        found.push(...messages.filter(({ message }) => test?.(message) ?? true));
        after = last?.[1];
        if (!after || found.length > size) break;
      }
      const shown = found.slice(0, size);
      const last = shown.at(-1);
      return {
        messages: shown.map(({ message }) => message),
        nextPageToken: last && found.length > size ? encodePageToken(last.row.name, checksum) : "",
      };
    },
    async history(conversation) {
      const messages: Message[] = [];
      let bytes = 0;
      let after: string | undefined;
      do {
        const { rows, last } = await page(conversation, ROWS_AT_A_TIME, after);
        for (const row of rows) {
          bytes += row.body.byteLength;
          if (bytes > HISTORY_BYTES) return messages.reverse();
          messages.push(fromMessageRow(row));
        }
        after = last?.[1];
      } while (after && messages.length < HISTORY_ROWS);
      return messages.reverse();
    },
  };
}
