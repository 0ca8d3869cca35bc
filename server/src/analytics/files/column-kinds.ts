import { type DataFile_Column as Column, DataFile_Kind as Kind } from "@frontdesk/protos/gda/data_file";
import { nonEmptyFields } from "#base";
import { invalidArgument } from "#status";
import type { Conversion } from "#warehouse";

const NUMBERS = new Set(["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);
/** Names of columns whose values are codes, whatever they look like. */
export const KEY_NAME = /(^|[_\s-])(id|key|uuid|guid|code|sku|zip|postcode|phone)$|[a-z](Id|ID|Key|Code)$/i;
const MONEY_NAME = /price|amount|revenue|turnover|cost|profit|salary|wage|spend|budget|income|fee$|sales$|total$/i;
/** A text column with more values is no category. */
const MAX_CATEGORIES = 200;

/** What was counted of a column. */
interface ColumnCounts {
  /** Cells with a value. */
  readonly present: number;
  readonly distinct: number;
}

/** The kind of a column whose values are read as they are stored. */
export function kindOfStored(name: string, type: string, { present, distinct }: ColumnCounts): Kind {
  if (type === "DATE") return Kind.DATE;
  if (type === "DATETIME" || type === "TIMESTAMP") return Kind.DATE_TIME;
  if (type === "BOOL") return Kind.BOOLEAN;
  if (NUMBERS.has(type)) {
    if (type === "INT64" && KEY_NAME.test(name)) return Kind.IDENTIFIER;
    return type !== "INT64" && MONEY_NAME.test(name) ? Kind.MONEY : Kind.NUMBER;
  }
  if (type !== "STRING") return Kind.TEXT;
  if (KEY_NAME.test(name) && present > 0 && distinct === present) return Kind.IDENTIFIER;
  return distinct <= MAX_CATEGORIES && distinct < present ? Kind.CATEGORY : Kind.TEXT;
}

/** What conversions are made of: `storedType` is the type in the file, `format` the decimal mark of numbers or the form of times. */
type ConvertedColumn = Pick<Column, "kind" | "foundKind" | "storedType" | "format">;

/**
 * How a column of a kind is read; undefined: as it is stored. INVALID_ARGUMENT where the kind needs a format that is not given.
 *
 * @param field of the request, for errors
 */
export function conversionOf(
  { kind, foundKind, storedType, format }: ConvertedColumn,
  field: string,
): Conversion | undefined {
  switch (kind) {
    case Kind.NUMBER:
    case Kind.MONEY:
      if (NUMBERS.has(storedType)) return undefined;
      return numbersIn(format, field);
    case Kind.DATE:
    case Kind.DATE_TIME: {
      const stored = kind === Kind.DATE ? storedType === "DATE" : /^(DATETIME|TIMESTAMP)$/.test(storedType);
      if (stored && format === "") return undefined;
      if (!/%[YymdbBj]/.test(format))
        throw wrongFormat(field, "say how the times are written, such as %d.%m.%Y or %m/%d/%Y %H:%M");
      return { to: kind === Kind.DATE ? "date" : "datetime", format };
    }
    case Kind.BOOLEAN:
      return storedType === "BOOL" ? undefined : { to: "boolean" };
    default:
      return storedType === "STRING" || kind === foundKind ? undefined : { to: "text" };
  }
}

/** The mark before the decimals, and behind it the unit that each cell has: `.`, `, kg`. */
function numbersIn(format: string, field: string): Conversion {
  const [, mark, unit = ""] = /^([.,]?)(?:\s*([^\s.,\d]\S{0,15}))?$/u.exec(format.trim()) ?? [];
  if (mark === undefined)
    throw wrongFormat(
      field,
      "of numbers it is the mark before the decimals, . or , and behind it the unit that all cells have, as in “. kg”",
    );
  return { to: "number", decimal: mark === "," ? "," : ".", ...nonEmptyFields({ unit: unit.toLowerCase() }) };
}

function wrongFormat(field: string, description: string): Error {
  return invalidArgument({ field: `${field}.format`, description });
}

/** The GoogleSQL type of the values of a conversion. */
export function typeOfConversion({ to }: Conversion): string {
  return { text: "STRING", number: "FLOAT64", date: "DATE", datetime: "DATETIME", boolean: "BOOL" }[to];
}

/** A kind in words, for errors. */
export function kindName(kind: Kind): string {
  return (Kind[kind] ?? "kind").toLowerCase().replace("_", " and ");
}
