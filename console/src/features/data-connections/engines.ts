import {
  DataConnection_Engine as Engine,
  type DataConnection_TlsMode as TlsMode,
} from "@frontdesk/protos/gda/data_connection";
import type { Choice } from "../../components/field.tsx";

export type EngineName = Exclude<keyof typeof Engine, "ENGINE_UNSPECIFIED">;
export type TlsName = Exclude<keyof typeof TlsMode, "TLS_MODE_UNSPECIFIED">;

/** What people call each engine, in the order of the choice. */
const LABELS: Readonly<Record<EngineName, string>> = {
  POSTGRESQL: "PostgreSQL",
  MYSQL: "MySQL or MariaDB",
  SQLSERVER: "SQL Server",
  REDSHIFT: "Redshift",
  CLICKHOUSE: "ClickHouse",
  TRINO: "Trino",
  SNOWFLAKE: "Snowflake",
  DATABRICKS: "Databricks",
};

export const ENGINES: readonly Choice<EngineName>[] = (Object.keys(LABELS) as EngineName[]).map((value) => ({
  value,
  label: LABELS[value],
}));

/** What people call an engine. */
export function engineLabel(engine: Engine): string {
  return ENGINES.find(({ value }) => Engine[value] === engine)?.label ?? "";
}

const VERIFY: Choice<TlsName> = { value: "VERIFY", label: "On, with a checked certificate" };
const REQUIRE: Choice<TlsName> = { value: "REQUIRE", label: "On, with any certificate" };
const DISABLED: Choice<TlsName> = { value: "DISABLED", label: "Off, for networks that you trust" };

/** How an engine is reached. */
export function tlsChoices(engine: EngineName): readonly Choice<TlsName>[] {
  if (hasWarehouses(engine)) return [VERIFY];
  return engine === "CLICKHOUSE" || engine === "TRINO" ? [VERIFY, DISABLED] : [VERIFY, REQUIRE, DISABLED];
}

/** Whether SQL warehouses run the queries, and the password is a token. */
export function hasWarehouses(engine: EngineName): boolean {
  return engine === "SNOWFLAKE" || engine === "DATABRICKS";
}

/** How many tables a database shows, in words. */
export function counted(tables: number): string {
  return tables === 1 ? "1 table" : `${tables} tables`;
}
