import { type SemanticColumn, type SemanticTable, stem } from "#analytics";
import { notedUnit } from "#warehouse";
import { computedOf, type ElapsedUnit } from "./computed.ts";
import { isKey, isNumeric } from "./meaning.ts";
import { columnLabel } from "./names.ts";

/** A unit that numbers are in: units of the same kind are multiples of one another. */
interface Unit {
  readonly kind: string;
  readonly size: number;
}

/** Units by their words in singular, each with how many of the smallest one of its kind it is. */
const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      [
        "time",
        "ms|millisecond=1 s|sec|secs|second=1000 min|mins|minute=60000 h|hr|hrs|hour=3600000 day=86400000 week=604800000",
      ],
      ["mass", "mg=1 g|gram=1000 kg|kgs|kilo|kilogram=1000000 t|ton|tonne=1000000000"],
      ["pounds", "lb|lbs|pound=1"],
      ["length", "mm|millimeter=1 cm|centimeter=10 m|meter|metre=1000 km|kilometer|kilometre=1000000"],
      ["miles", "mi|mile=1"],
      ["volume", "ml=1 l|liter|litre=1000"],
      ["energy", "wh=1 kwh=1000 mwh=1000000"],
      ["power", "w|watt=1 kw|kilowatt=1000 mw|megawatt=1000000"],
      ["share", "pct|percent=1"],
      ["euros", "eur|euro=1"],
      ["dollars", "usd|dollar=1"],
      ["voltage", "mv|millivolt=1 v|volt=1000"],
      ["celsius", "c|celsius=1"],
      ["fahrenheit", "f|fahrenheit=1"],
      ["parts", "ppb=1 ppm=1000"],
      ["pressure", "pa|pascal=1 hpa|mbar|millibar=100 kpa=1000 bar=100000"],
    ] as const
  ).flatMap(([kind, units]) =>
    units.split(" ").flatMap((entry) => {
      const [words = "", size = ""] = entry.split("=");
      return words.split("|").map((word) => [word, { kind, size: Number(size) }] as const);
    }),
  ),
);

/** A unit as a word of a name: percent for %. */
export function unitWord(unit: string): string {
  return unit === "%" ? "percent" : unit;
}

/** Whether a word is a unit behind a number: "25 kg", "20 seconds". */
export function isUnit(word: string): boolean {
  return unitCalled(word) !== undefined;
}

function unitCalled(word: string): Unit | undefined {
  return UNITS.get(word.toLowerCase()) ?? UNITS.get(stem(word));
}

/** The unit of times that pass which a word is, however it is abbreviated. */
export function elapsedUnitCalled(word: string): ElapsedUnit | undefined {
  const unit = unitCalled(word);
  return (["second", "minute", "hour", "day", "week"] as const).find((one) => isSame(UNITS.get(one), unit));
}

function isSame(one: Unit | undefined, other: Unit | undefined): boolean {
  return one !== undefined && one.kind === other?.kind && one.size === other.size;
}

/** The number of a question in the unit of a column, as its name tells that; undefined where the two do not fit. */
export function inUnitOf(
  table: SemanticTable,
  column: SemanticColumn,
  { value, unit }: { readonly value: number; readonly unit: string },
): number | undefined {
  const [asked, own] = [unitCalled(unit), unitOf(table, column)];
  if (!asked || !own || asked.kind !== own.kind) return undefined;
  return Number(((value * asked.size) / own.size).toPrecision(12));
}

/** Columns of a table that are in a unit of the same kind, by their names. */
export function columnsIn(unit: string, table: SemanticTable): readonly SemanticColumn[] {
  return table.columns.filter(
    (column) => isNumeric(column) && !isKey(table, column) && inUnitOf(table, column, { value: 1, unit }) !== undefined,
  );
}

/**
 * "weight kg" ends in its unit, "duration (s)" too; a column called kwh is its unit. "orders per day" is in no days, and "temp min" beside "temp max" in no
 * minutes.
 */
function unitOf(table: SemanticTable, column: SemanticColumn): Unit | undefined {
  const computed = computedOf(column);
  if (computed) return computed.kind === "elapsed" ? unitCalled(computed.unit) : undefined;
  const noted = notedUnit(column.description);
  if (noted !== undefined) return unitCalled(unitWord(noted));
  const words = columnLabel(table, column).split(" ");
  const last = words.at(-1) ?? "";
  if (words.at(-2) === "per") return undefined;
  const most = last === "min" && [...words.slice(0, -1), "max"].join(" ");
  if (most && table.columns.some((other) => columnLabel(table, other) === most)) return undefined;
  return unitCalled(last);
}

/** Whether the name of a column tells no unit. */
export function isWithoutUnit(table: SemanticTable, column: SemanticColumn): boolean {
  return unitOf(table, column) === undefined;
}
