/** SQL engines behind one interface: schema, query, result set, cost. One folder an engine. */
export type { Column, DataSource, QueryCost, QueryLimits, ResultSet, TableSchema } from "./contract.ts";
