import type { JsonObject, JsonValue } from "#base";
import type { Column } from "../contract.ts";

/** GoogleSQL types by those of the API and of the catalog, in small letters; others are STRING. */
const NAMES: Readonly<Record<string, string>> = {
  ...{
    fixed: "NUMERIC",
    number: "NUMERIC",
    real: "FLOAT64",
    float: "FLOAT64",
    boolean: "BOOL",
    date: "DATE",
    time: "TIME",
  },
  ...{ timestamp_ntz: "DATETIME", timestamp_ltz: "TIMESTAMP", timestamp_tz: "TIMESTAMP", binary: "BYTES" },
  ...{ variant: "JSON", object: "JSON", array: "JSON", map: "JSON", vector: "JSON", geography: "GEOGRAPHY" },
};

/** The type of a column by its name and the digits behind the point. */
export function typeOf(name: string, scale: number): string {
  const type = NAMES[name.toLowerCase()] ?? "STRING";
  return type === "NUMERIC" && scale === 0 ? "INT64" : type;
}

/** A column of a result: an item of `rowType`. */
export function toColumn({ name, type, scale, nullable }: JsonObject): Column {
  const mode = nullable === false ? "REQUIRED" : "NULLABLE";
  return { name: String(name), type: typeOf(String(type), Number(scale ?? 0)), mode };
}

/** A cell as the API writes it (CA-18). Snowflake sends days since 1970, and seconds with nine digits. */
export function toCell(value: unknown, { type }: Column): JsonValue {
  if (value === null || value === undefined) return null;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (type === "BYTES") return Buffer.from(text, "hex").toString("base64");
  if (type === "DATE" && /^-?\d+$/.test(text)) return new Date(Number(text) * 86_400_000).toISOString().slice(0, 10);
  if (type === "TIME" && /^\d+\./.test(text)) return moment(text).slice(11);
  if (type === "DATETIME" && /^-?\d+\./.test(text)) return moment(text);
  // Behind a blank stands the offset of the zone in which it was written; the moment is the same.
  if (type === "TIMESTAMP" && /^-?\d+\./.test(text)) return `${moment(text.split(" ")[0] ?? "")}Z`;
  return text;
}

const SECOND = 1_000_000_000n;

/** `2026-01-01T10:00:00.5` of seconds since 1970 with a fraction. */
function moment(text: string): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const nanoseconds = BigInt(`${whole}${fraction.padEnd(9, "0").slice(0, 9)}`);
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const digits = rest.toString().padStart(9, "0").replace(/0+$/, "");
  const second = new Date(Number((nanoseconds - rest) / SECOND) * 1000).toISOString().slice(0, 19);
  return digits === "" ? second : `${second}.${digits}`;
}
