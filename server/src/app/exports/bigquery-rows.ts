import { createHash } from "node:crypto";
import { enumToJson } from "@bufbuild/protobuf";
import { Conversation_SourceSchema } from "@frontdesk/protos/ces/conversation";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { idOf } from "#aip";
import type { JsonObject } from "#base";
import type { ExportedTurn, TurnContent } from "#session";
import { contentJson, textOf } from "./turn-json.ts";

const column = (name: string, type: string, mode = "NULLABLE"): JsonObject => ({ name, type, mode });
const record = (name: string, mode: string, fields: readonly JsonObject[]): JsonObject => ({
  ...column(name, "RECORD", mode),
  fields: [...fields],
});

/** The definition of the tables, without their names (CONV-17). */
export const TABLE_DEFINITION: JsonObject = {
  timePartitioning: { type: "DAY", field: "timestamp" },
  schema: {
    fields: [
      column("timestamp", "TIMESTAMP"),
      column("app_version_id", "STRING"),
      column("deployment_id", "STRING"),
      column("conversation_id", "STRING"),
      column("turn_index", "INTEGER"),
      column("source", "STRING"),
      column("language_code", "STRING"),
      record("json_payload", "NULLABLE", [
        column("resource", "STRING"),
        record("query_result", "NULLABLE", [
          record("generations", "REPEATED", [
            column("agent", "STRING"),
            column("text", "STRING"),
            record("tool_calls", "REPEATED", [
              column("name", "STRING"),
              column("input", "STRING"),
              column("output", "STRING"),
            ]),
          ]),
        ]),
        column("messages", "JSON"),
        column("root_span", "JSON"),
      ]),
    ],
  },
};

/** The longest row, UTF-8 bytes; BigQuery takes 10 MB a request. */
const MAX_ROW_BYTES = 4 * 1024 * 1024;

/**
 * One turn as an element of `tabledata.insertAll`. BigQuery drops rows with an `insertId` that it has seen a moment ago, so a row that is sent
 * twice is stored once. A row that would be too long goes without its trace, and then without its messages.
 */
export function bigqueryRow(turn: ExportedTurn, content: TurnContent): JsonObject {
  const { app, head, turnIndex } = turn;
  const { messages, trace } = contentJson(content);
  const row = (payload: JsonObject): JsonObject => ({
    insertId: insertId(turn),
    json: {
      timestamp: new Date(head.endTime).toISOString(),
      app_version_id: idOf(head.appVersion),
      deployment_id: idOf(head.deployment),
      conversation_id: idOf(head.name),
      turn_index: turnIndex,
      source: enumToJson(Conversation_SourceSchema, head.source),
      language_code: head.languageCode,
      json_payload: { resource: app.name, ...payload },
    },
  });
  const generations = generationsOf(content.messages);
  const whole = row({ query_result: { generations: [...generations] }, messages, root_span: trace });
  if (fits(whole)) return whole;
  const withoutTrace = row({ query_result: { generations: [...generations] }, messages });
  return fits(withoutTrace) ? withoutTrace : row({});
}

/** Unique for a turn also when a deleted session begins again. At most 128 characters. */
export function insertId({ session, turnIndex, head }: ExportedTurn): string {
  return createHash("sha256").update(`${session}/${turnIndex}/${head.endTime}`).digest("hex");
}

function fits(row: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(row)) <= MAX_ROW_BYTES;
}

/** What agents said and called, each call with its result. */
function generationsOf(messages: readonly Message[]): readonly JsonObject[] {
  const chunks = messages.flatMap((message) => message.chunks);
  return messages
    .filter(({ role }) => role !== "user")
    .map((message) => ({
      agent: message.role,
      text: textOf(message),
      tool_calls: message.chunks.flatMap((chunk) => toolCallOf(chunk, chunks)),
    }))
    .filter(({ text, tool_calls }) => text !== "" || tool_calls.length > 0);
}

function toolCallOf({ data }: Chunk, all: readonly Chunk[]): readonly JsonObject[] {
  if (data.case !== "toolCall") return [];
  const { id, displayName, args } = data.value;
  const responses = all.flatMap((chunk) => (chunk.data.case === "toolResponse" ? [chunk.data.value] : []));
  const response = responses.find((candidate) => candidate.id === id)?.response;
  return [
    { name: displayName, input: JSON.stringify(args ?? {}), ...(response && { output: JSON.stringify(response) }) },
  ];
}
