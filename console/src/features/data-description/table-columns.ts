import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { useQuery } from "@tanstack/react-query";
import { transport } from "../../api/transport.ts";
import { fullName, type TableName } from "../data-chat/table-name.ts";

/** A column as the engine has it. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** Bytes that reading the names of columns may cost. */
const MAX_SCANNED_BYTES = 10_000_000n;

const client = createClient(DataChatService, transport);

/** The columns of a table of a data agent, read with a statement that returns no rows; not before `wanted`. */
export function useTableColumns(agent: string, table: TableName | undefined, wanted = true) {
  return useQuery({
    queryKey: ["table-columns", agent, table ? fullName(table) : ""],
    queryFn: ({ signal }) => readColumns(agent, table, signal),
    enabled: wanted && table !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

async function readColumns(
  name: string,
  table: TableName | undefined,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  let first: unknown;
  for (const from of table ? namesOf(table) : []) {
    try {
      const sqlQuery = `SELECT * FROM ${from} WHERE 1 = 0`;
      const { result } = await client.runStatement({ name, sqlQuery, maxScannedBytes: MAX_SCANNED_BYTES }, { signal });
      return (result?.schema?.fields ?? []).map((field) => ({ name: field.name, type: field.type }));
    } catch (error) {
      if (ConnectError.from(error).code !== Code.InvalidArgument) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** A table as engines write it: in full and in GoogleSQL where one understands that, else by schema and table in the quotes of the engine. */
function namesOf({ projectId, datasetId, tableId }: TableName): readonly string[] {
  const quoted = (quote: string, parts: readonly string[]) => parts.map((part) => quote + part + quote).join(".");
  return [
    quoted("`", [projectId, datasetId, tableId]),
    quoted('"', [datasetId, tableId]),
    quoted("`", [datasetId, tableId]),
  ];
}
