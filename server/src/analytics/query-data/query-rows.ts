import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ExecutedQueryResult_ColumnSchema,
  ExecutedQueryResult_RowSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import type { JsonValue } from "#base";
import type { ResultSet } from "#warehouse";

/** Columns as QueryData tells them. */
export function queryColumns({ columns }: ResultSet): MessageInitShape<typeof ExecutedQueryResult_ColumnSchema>[] {
  return columns.map(({ name, type, mode }) => ({ name, type: mode === "REPEATED" ? `ARRAY<${type}>` : type }));
}

/** Rows as QueryData tells them: a NULL is a value without anything in it, lists and structs are JSON. */
export function queryRows({ rows }: ResultSet): MessageInitShape<typeof ExecutedQueryResult_RowSchema>[] {
  return rows.map((row) => ({ values: row.map((cell) => (cell === null ? {} : { value: textOf(cell) })) }));
}

function textOf(cell: JsonValue): string {
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}
