import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import type { RemoteEngine } from "../remote/contract.ts";
import { statementsBy } from "../remote/statement-client.ts";
import { describeTables, listTables } from "./catalog.ts";
import { createDatabricksClient } from "./databricks-client.ts";
import { DATABRICKS_DIALECT } from "./dialect.ts";
import { readDatabricksAddress } from "./login.ts";

/** Opens one catalog of a Databricks workspace, by one of its SQL warehouses. */
export function openDatabricks(mapping: OpenedMapping): RemoteEngine {
  const address = () => readDatabricksAddress(mapping);
  const { catalog } = address();
  const { read, ...statements } = statementsBy(createDatabricksClient(address));
  return {
    ...statements,
    dialect: DATABRICKS_DIALECT,
    get defaultSchema() {
      return address().schema;
    },
    tables: (signal) => listTables(read, catalog, signal),
    describe: (scope, signal) => describeTables(read, catalog, scope, signal),
  };
}
