import type { JsonObject } from "#base";
import type { QueryParameter } from "../contract.ts";

/** A statement for BigQuery. */
export interface BigQueryStatement {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** Maximum bytes that may be billed. Default no limit. */
  readonly maximumBytesBilled?: number;
}

/** `JobConfigurationQuery` of a statement: GoogleSQL, named parameters, cached results of the last day allowed. */
export function queryConfiguration({ sql, parameters, maximumBytesBilled }: BigQueryStatement): JsonObject {
  return {
    query: sql,
    useLegacySql: false,
    useQueryCache: true,
    ...(maximumBytesBilled !== undefined && { maximumBytesBilled: String(maximumBytesBilled) }),
    ...(parameters.length > 0 && { parameterMode: "NAMED", queryParameters: parameters.map(toWire) }),
  };
}

/** A parameter that BigQuery binds; its value is never written into the text. */
function toWire({ name, type, value }: QueryParameter): JsonObject {
  const parameterType = TYPES[type.toUpperCase()] ?? (type.toUpperCase() || "STRING");
  return { name, parameterType: { type: parameterType }, parameterValue: { value } };
}

/** GoogleSQL types by the older names that example queries use. */
const TYPES: Readonly<Record<string, string>> = { INTEGER: "INT64", FLOAT: "FLOAT64", BOOLEAN: "BOOL" };
