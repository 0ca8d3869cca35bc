import { QueryError, type TableSchema } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import type { RemoteEngine, ScopedTable } from "../remote/contract.ts";
import { describedTables, foundTables, schemaList } from "../remote/described-tables.ts";
import { readHttpAddress } from "../remote/http/http-client.ts";
import { type ReadCatalog, statementsBy } from "../remote/statement-client.ts";
import { TRINO_DIALECT } from "./dialect.ts";
import { createTrinoClient } from "./trino-client.ts";
import { toColumn } from "./wire-types.ts";

const FORM = "https://user:password@host:8443/catalog/schema";

/** Opens one catalog of a Trino server. */
export function openTrino(mapping: OpenedMapping): RemoteEngine {
  const address = () => readHttpAddress(mapping, FORM);
  const catalog = address().path[0];
  if (!catalog) throw new QueryError("failed", `The connection string names no catalog; it must be ${FORM}.`);
  const client = createTrinoClient(address);
  const information = `${TRINO_DIALECT.quoteName(catalog)}.information_schema`;
  const { read, ...statements } = statementsBy(client);
  return {
    ...statements,
    dialect: TRINO_DIALECT,
    get defaultSchema() {
      return address().path[1];
    },
    async tables(signal) {
      const sql = `SELECT table_schema, table_name FROM ${information}.tables WHERE table_schema <> 'information_schema' ORDER BY 1, 2`;
      return foundTables(await read(sql, signal), catalog);
    },
    describe: (scope, signal) => describeTables(read, information, scope, signal),
  };
}

/** Columns and their comments. Trino knows no keys. */
async function describeTables(
  read: ReadCatalog,
  information: string,
  scope: readonly ScopedTable[],
  signal: AbortSignal,
): Promise<readonly TableSchema[]> {
  if (scope.length === 0) return [];
  const columns = await read(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, comment FROM ${information}.columns
     WHERE table_schema IN (${schemaList(scope, TRINO_DIALECT.quoteText)}) ORDER BY table_schema, table_name, ordinal_position`,
    signal,
  );
  return describedTables(scope, {
    columns: columns.map(([schema, table, name, type, nullable, comment]) => ({
      ...{ schema, table, nullable, comment },
      column: toColumn(String(name), String(type)),
    })),
  });
}
