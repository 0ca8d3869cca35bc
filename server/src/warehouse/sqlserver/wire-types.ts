import { type JsonValue, shortestFloat } from "#base";
import { type Column, QueryError } from "../contract.ts";

/** GoogleSQL types by the names of SQL Server's, without their parameters; others are STRING. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ bit: "BOOL", tinyint: "INT64", smallint: "INT64", int: "INT64", bigint: "INT64", real: "FLOAT64" },
  ...{ float: "FLOAT64", decimal: "NUMERIC", numeric: "NUMERIC", money: "NUMERIC", smallmoney: "NUMERIC" },
  ...{ date: "DATE", time: "TIME", datetime: "DATETIME", datetime2: "DATETIME", smalldatetime: "DATETIME" },
  ...{ datetimeoffset: "TIMESTAMP", binary: "BYTES", varbinary: "BYTES", image: "BYTES", timestamp: "BYTES" },
  ...{ rowversion: "BYTES", geography: "GEOGRAPHY", geometry: "GEOGRAPHY", udt: "BYTES", json: "JSON" },
};

/** The type of a name as catalogs and descriptions have it, such as `decimal(9,2)`. */
export function typeOf(name: string): string {
  return NAMES[name.replace(/\(.*$/s, "").toLowerCase()] ?? "STRING";
}

/** What the driver tells of a column of a result. */
export interface WireColumn {
  readonly colName: string;
  readonly type: { readonly name: string };
  readonly scale?: number | undefined;
  readonly dataLength?: number | undefined;
}

/** A column of a result. Types that may be NULL have names of their own, with an N behind. */
export function toColumn({ colName, type }: WireColumn): Column {
  return { name: colName, type: typeOf(plainName(type.name)), mode: "NULLABLE" };
}

function plainName(name: string): string {
  return name.replace(/N$/, "");
}

/** A moment as the driver has it, with what is shorter than a millisecond in seconds. */
type Moment = Date & { readonly nanosecondsDelta?: number };

/** A cell as the API writes it (CA-18). Throws `QueryError` for a number that the driver has rounded. */
export function toCell(value: unknown, column: WireColumn): JsonValue {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString("base64");
  const name = plainName(column.type.name).toLowerCase();
  if (value instanceof Date) return momentText(value, typeOf(name));
  if (typeof value !== "number") return String(value);
  if (name === "decimal" || name === "numeric") return decimalText(value, column.scale ?? 0, column.colName);
  if (name === "money" || name === "smallmoney") return decimalText(value, 4, column.colName);
  const isShort = name === "real" || (name === "float" && column.dataLength === 4);
  return String(isShort ? shortestFloat(value) : value);
}

/** Decimal places that are never cut. Quotients have six at least, and often many more than mean something. */
const KEPT_PLACES = 6;

/** The driver makes numbers of decimals, which are exact up to 2^53 of their last digit: places behind that are cut, but no whole numbers and none of the first six. */
function decimalText(value: number, scale: number, name: string): string {
  const isExact = (places: number) => Math.abs(value) * 10 ** places < 2 ** 53;
  for (let places = scale; places >= Math.min(scale, KEPT_PLACES); places--)
    if (isExact(places)) return value.toFixed(places);
  throw new QueryError(
    "invalid",
    `Column '${name}' has a number with more digits than are read exactly; write CAST(… AS VARCHAR(41)) or fewer decimal places.`,
  );
}

/** In UTC, with as many digits of a second as there are. */
function momentText(value: Moment, type: string): string {
  const [day = "", time = ""] = value.toISOString().slice(0, -1).split("T");
  const digits = `${time.slice(9)}${String(Math.round((value.nanosecondsDelta ?? 0) * 1e7)).padStart(4, "0")}`;
  const fraction = digits.replace(/0+$/, "");
  const precise = fraction === "" ? time.slice(0, 8) : `${time.slice(0, 8)}.${fraction}`;
  if (type === "DATE") return day;
  if (type === "TIME") return precise;
  return `${day}T${precise}${type === "TIMESTAMP" ? "Z" : ""}`;
}
