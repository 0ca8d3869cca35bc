import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { DataChatService, type UnreachableSource } from "@frontdesk/protos/gda/data_chat_service";
import { type Datasource, DatasourceSchema } from "@frontdesk/protos/gda/datasource";
import type { CommandInput } from "../command.ts";
import { limitOf, tellOfMore } from "../flags/limit-flag.ts";
import { printResult } from "../output/print-result.ts";
import { say } from "../output/say.ts";
import { columns } from "../output/text-columns.ts";
import { placeOf } from "../server/connection.ts";
import { callServer, clientFor } from "../server/server-client.ts";

const PAGE_SIZE = 200;

/** `frontdesk data tables [words]`: the tables that questions may name, with their columns. */
export async function printDataTables(input: CommandInput): Promise<number> {
  const { positionals, flags } = input;
  const limit = limitOf(flags, { standard: 100 });
  const client = clientFor(DataChatService, input);
  const query = positionals.slice(1).join(" ");
  const found: Datasource[] = [];
  const unreachable = new Map<string, UnreachableSource>();
  let pageToken = "";
  do {
    const pageSize = Math.min(PAGE_SIZE, limit - found.length);
    const request = { parent: placeOf(input), query, pageSize, pageToken };
    const page = await callServer(input, () => client.listDataTables(request));
    found.push(...page.dataTables);
    for (const one of page.unreachableSources) unreachable.set(one.source, one);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && found.length < limit);
  for (const { source, message } of unreachable.values()) say(`${source}: ${message}\n`, process.stderr);
  printResult(flags, {
    value: found.map((table) => ({ name: nameOf(table), ...(toJson(DatasourceSchema, table) as JsonObject) })),
    text: () => (found.length === 0 ? "None." : columns(found.map(cells)).join("\n")),
  });
  tellOfMore(flags, pageToken !== "", `the first ${found.length} tables`);
  return 0;
}

function nameOf({ reference }: Datasource): string {
  if (reference.case !== "bigqueryTableReference") return "";
  const { projectId, datasetId, tableId } = reference.value;
  return `${projectId}.${datasetId}.${tableId}`;
}

function cells(table: Datasource): readonly string[] {
  const fields = table.schema?.fields ?? [];
  return [nameOf(table), fields.map(({ name, type }) => `${name} ${type}`).join(", "), table.schema?.description ?? ""];
}
