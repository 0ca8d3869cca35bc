import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import { withDistinctNames } from "../remote/collect-rows.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { CATALOG, statementsBy } from "../remote/statement-client.ts";
import { describeTables, listTables } from "./catalog.ts";
import { readConnectionString } from "./connection-options.ts";
import { SQLSERVER_DIALECT } from "./dialect.ts";
import { createSqlServerClient } from "./sqlserver-client.ts";
import { typeOf } from "./wire-types.ts";

/** Opens one database of a SQL Server; the first connection is made for the first query. */
export function openSqlServer({ connectionString, gate }: OpenedMapping): RemoteEngine {
  const address = () => readConnectionString(connectionString(), gate);
  const client = createSqlServerClient(address);
  const { database } = address();
  const { read, ...statements } = statementsBy(client);
  return {
    ...statements,
    dialect: SQLSERVER_DIALECT,
    get defaultSchema() {
      return address().schema ?? "dbo";
    },
    tables: (signal) => listTables(read, database, signal),
    describe: (scope, signal) => describeTables(read, scope, signal),
    async columns(sql, signal) {
      const asked = `EXEC sys.sp_describe_first_result_set @tsql = ${literal(sql)}`;
      const { columns, rows } = await client.query(asked, CATALOG, signal);
      const described = rows.map((row) => new Map(columns.map(({ name }, at) => [name, row[at]])));
      return {
        columns: withDistinctNames(
          described
            .filter((column) => column.get("is_hidden") !== "true")
            .map((column) => ({
              name: String(column.get("name") ?? ""),
              type: typeOf(String(column.get("system_type_name"))),
              mode: "NULLABLE",
            })),
        ),
      };
    },
    explain: async (sql, { timeoutMs }, signal) => ({ plan: (await client.plan(sql, timeoutMs, signal)).join("\n") }),
  };
}

/** A statement as a text in a call, which takes no expressions. The check has left no backslash before the end of a line. */
function literal(sql: string): string {
  return `N'${sql.replaceAll("'", "''")}'`;
}
