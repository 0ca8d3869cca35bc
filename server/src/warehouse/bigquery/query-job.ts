import type { JsonObject } from "#base";
import type { QueryParameter } from "../contract.ts";

/** A statement as BigQuery is given it. */
export interface Question {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
  /** Most bytes that may be billed. Default no limit. */
  readonly maximumBytesBilled?: number;
}

/** `JobConfigurationQuery` of a question: GoogleSQL, parameters by name, results of the last day reused without cost. */
export function queryConfiguration({ sql, parameters, maximumBytesBilled }: Question): JsonObject {
  return {
    query: sql,
    useLegacySql: false,
    useQueryCache: true,
    ...(maximumBytesBilled !== undefined && { maximumBytesBilled: String(maximumBytesBilled) }),
    ...(parameters.length > 0 && { parameterMode: "NAMED", queryParameters: parameters.map(toWire) }),
  };
}

/** Bound by BigQuery, never written into the text. */
function toWire({ name, type, value }: QueryParameter): JsonObject {
  const parameterType = TYPES[type.toUpperCase()] ?? (type.toUpperCase() || "STRING");
  return { name, parameterType: { type: parameterType }, parameterValue: { value } };
}

/** Types of example queries by their older names. */
const TYPES: Readonly<Record<string, string>> = { INTEGER: "INT64", FLOAT: "FLOAT64", BOOLEAN: "BOOL" };
