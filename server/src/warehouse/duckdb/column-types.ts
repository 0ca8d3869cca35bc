import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from "@duckdb/node-api";
import type { Column } from "../contract.ts";

const NAMES: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.BOOLEAN]: "BOOL",
  [DuckDBTypeId.TINYINT]: "INT64",
  [DuckDBTypeId.SMALLINT]: "INT64",
  [DuckDBTypeId.INTEGER]: "INT64",
  [DuckDBTypeId.BIGINT]: "INT64",
  [DuckDBTypeId.UTINYINT]: "INT64",
  [DuckDBTypeId.USMALLINT]: "INT64",
  [DuckDBTypeId.UINTEGER]: "INT64",
  [DuckDBTypeId.UBIGINT]: "BIGNUMERIC",
  [DuckDBTypeId.HUGEINT]: "BIGNUMERIC",
  [DuckDBTypeId.UHUGEINT]: "BIGNUMERIC",
  [DuckDBTypeId.BIGNUM]: "BIGNUMERIC",
  [DuckDBTypeId.FLOAT]: "FLOAT64",
  [DuckDBTypeId.DOUBLE]: "FLOAT64",
  [DuckDBTypeId.DATE]: "DATE",
  [DuckDBTypeId.TIME]: "TIME",
  [DuckDBTypeId.TIME_TZ]: "TIME",
  [DuckDBTypeId.TIMESTAMP]: "DATETIME",
  [DuckDBTypeId.TIMESTAMP_S]: "DATETIME",
  [DuckDBTypeId.TIMESTAMP_MS]: "DATETIME",
  [DuckDBTypeId.TIMESTAMP_NS]: "DATETIME",
  [DuckDBTypeId.TIMESTAMP_TZ]: "TIMESTAMP",
  [DuckDBTypeId.BLOB]: "BYTES",
  [DuckDBTypeId.MAP]: "JSON",
  [DuckDBTypeId.UNION]: "JSON",
  [DuckDBTypeId.INTERVAL]: "INTERVAL",
};

/** A DuckDB column with its GoogleSQL type; STRING where GoogleSQL has none. */
export function toColumn(name: string, type: DuckDBType): Column {
  const { typeId } = type;
  if (typeId === DuckDBTypeId.LIST || typeId === DuckDBTypeId.ARRAY) {
    const element = toColumn(name, (type as DuckDBListType | DuckDBArrayType).valueType);
    // GoogleSQL has no list of lists; the inner one is shown as JSON.
    return element.mode === "REPEATED" ? { name, type: "JSON", mode: "REPEATED" } : { ...element, mode: "REPEATED" };
  }
  if (typeId === DuckDBTypeId.STRUCT) {
    const { entryNames, entryTypes } = type as DuckDBStructType;
    const fields = entryNames.map((entry, at) => toColumn(entry, entryTypes[at] ?? type));
    return { name, type: "STRUCT", mode: "NULLABLE", fields };
  }
  return { name, type: scalarName(type), mode: "NULLABLE" };
}

function scalarName(type: DuckDBType): string {
  if (type.typeId === DuckDBTypeId.DECIMAL) {
    const { width, scale } = type as DuckDBDecimalType;
    return width - scale > 29 || scale > 9 ? "BIGNUMERIC" : "NUMERIC";
  }
  if (type.typeId === DuckDBTypeId.VARCHAR && type.alias === "JSON") return "JSON";
  return NAMES[type.typeId] ?? "STRING";
}
