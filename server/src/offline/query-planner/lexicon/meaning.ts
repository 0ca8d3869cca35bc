import type { SemanticColumn, SemanticTable } from "#analytics";
import { notedUnit } from "#warehouse";

/** A meaning of a phrase in the data. */
export type Meaning =
  | { readonly kind: "measure"; readonly table: SemanticTable; readonly measure: SemanticTable["measures"][number] }
  | { readonly kind: "column"; readonly table: SemanticTable; readonly column: SemanticColumn }
  | { readonly kind: "table"; readonly table: SemanticTable }
  /** "return rate": the share of rows with a value. */
  | { readonly kind: "rate"; readonly table: SemanticTable; readonly column: SemanticColumn; readonly value: string }
  | {
      readonly kind: "value";
      readonly table: SemanticTable;
      readonly column: SemanticColumn;
      readonly value: string;
      /** The table by each of the references to it, where their names tell them apart. */
      readonly roles?: readonly SemanticTable[];
    };

/** A phrase with all its meanings. */
export interface Phrase {
  readonly stems: readonly string[];
  readonly meanings: readonly Meaning[];
  /** Whether it is only a part of the name of what it means: "salary" for annual_salary. Default false. */
  readonly isPart?: boolean;
}

/** Phrases by their first word, the longest first. */
export type Lexicon = ReadonlyMap<string, readonly Phrase[]>;

const NUMERIC = new Set(["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);
const TEMPORAL = new Set(["DATE", "DATETIME", "TIMESTAMP"]);

/** Whether values of a column can be added up. */
export function isNumeric({ type }: SemanticColumn): boolean {
  return NUMERIC.has(type);
}

/** Whether values of a column are points in time. */
export function isTemporal({ type }: SemanticColumn): boolean {
  return TEMPORAL.has(type);
}

/** Whole numbers that name a year, by their column's name: they are points in time, and not amounts. */
export function isYear({ name, type }: SemanticColumn): boolean {
  return type === "INT64" && /(^|[_\s])years?$/i.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** Whole numbers that stand for something else, by their column's name: codes, numbers of houses and districts. */
export function isCode({ name, type }: SemanticColumn): boolean {
  return type === "INT64" && /(^|[_\s])(code|zip|district|nr|phone)$/i.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** A part of the calendar as a whole number, by its column's name. */
export function isCalendarPart({ name, type }: SemanticColumn): boolean {
  return type === "INT64" && /(^|[_\s])(month|day|weekday|week|quarter|hour)$/i.test(name);
}

/** The name of a column before what stands in parentheses or brackets. */
export function nameWithoutUnit({ name }: Pick<SemanticColumn, "name">): string {
  return name.split(/[([]/, 1)[0]?.trimEnd() ?? "";
}

/** Numbers that have a mean and no sum, by their column's name. */
export function isIntensive({ name, type, description }: SemanticColumn): boolean {
  return (
    NUMERIC.has(type) &&
    (/^(%|‰|°c|°f|bps)$/.test(notedUnit(description) ?? "") ||
      /(^|[_\s])(rate|ratio|percent|percentage|pct|age|temperature|temp|score_avg)([_\s](c|f|k|celsius|fahrenheit|kelvin))?$/i.test(
        nameWithoutUnit({ name }),
      ))
  );
}

/** Units of what is measured at a place or a moment, at the end of a name: adding these up is hardly ever meant. */
const OF_A_MOMENT = /[_\s](ppm|ppb|mv|v|volts?|bar|mbar|psi|hpa|kpa|dba?|rpm|mph|kmh|kph|bpm|mmhg)$/i;

/** Answers on a scale, grades, and what instruments read, by their names. */
const OF_A_SCALE =
  /(^|[_\s])(satisfaction|likelihood|nps|rating|score|stars|grades?|marks?|gpa|humidity|pressure|voltage|altitude|ph|ease)([_\s](to|of|with)\b|[_\s]?(level|value|reading|avg|pct)?$)/i;

/** Whether the mean of a column is meant where no aggregate is named, by its name or its unit (CA-106). */
export function isAveraged({ name }: SemanticColumn): boolean {
  const plain = nameWithoutUnit({ name }).replace(/([a-z])([A-Z])/g, "$1_$2");
  return OF_A_MOMENT.test(plain) || OF_A_SCALE.test(plain);
}

/** A coordinate, by its column's name. */
export function isPlace({ name, type }: SemanticColumn): boolean {
  return NUMERIC.has(type) && /^(lat|lon|lng|long|latitude|longitude)$/i.test(name);
}

/** Characters of the longest number that people write. */
const MOST_OF_NUMBER = 100;

/** Of a text without repeated blanks: values are anybody's, and a pattern with several runs of blanks takes hours for a thousand of them. */
const NUMBER_TEXT = /^[-+(]? ?(?:\p{Sc}|[A-Z]{3} )? ?[-+]?\d[\d.,' ]*(?:\p{Sc}|%|[A-Z]{3}|k|m|bn)? ?\)?$/iu;

function isNumberText(value: string): boolean {
  const text = value.trim().replace(/\s+/g, " ");
  return text.length <= MOST_OF_NUMBER && NUMBER_TEXT.test(text);
}

/** Whether the values of a text column are numbers as people write them: `$130.75`, `1.234,56 €`, `12 %`. */
export function isNumberAsText({ type, values, samples }: SemanticColumn): boolean {
  const known = (values ?? samples ?? []).filter((value) => value.trim() !== "");
  return type === "STRING" && known.length > 0 && known.every(isNumberText);
}

/** How yes and no are written in a column of two values, in lower case, yes first. */
const FLAGS = [
  "y n",
  "yes no",
  "true false",
  "t f",
  "j n",
  "ja nein",
  "o n",
  "oui non",
  "s n",
  "si no",
  "sí no",
  "on off",
];

/** Whether a column says yes or no of each row: a boolean, 0 and 1 (CA-70), or a text with no other values. */
export function isFlag(column: SemanticColumn): boolean {
  return flagValues(column) !== undefined;
}

/** The values of a flag; undefined where the column is none. */
export function flagValues({
  type,
  values = [],
  zeroOrOne,
}: Pick<SemanticColumn, "type" | "values" | "zeroOrOne">): { readonly yes: string; readonly no: string } | undefined {
  if (/^BOOL/.test(type)) return { yes: "true", no: "false" };
  if (zeroOrOne) return { yes: "1", no: "0" };
  const written = values.filter((value) => value.trim() !== "");
  if (written.length !== 2) return undefined;
  const spelled = new Map(written.map((value) => [value.trim().toLowerCase(), value]));
  for (const pair of FLAGS) {
    const [yes, no] = pair.split(" ").map((word) => spelled.get(word));
    if (yes !== undefined && no !== undefined) return { yes, no };
  }
  return undefined;
}

/** Whether a column only identifies rows: a key, or a column named id or key. */
export function isKey(table: SemanticTable, { name, type }: SemanticColumn): boolean {
  const keys = [
    ...(table.schema.primaryKey ?? []),
    ...(table.schema.foreignKeys ?? []).flatMap(({ columns }) => columns),
  ];
  return keys.includes(name) || /(^|_)(id|key|uuid)$/i.test(name) || /Id$/.test(name) || isRowNumber(name, type);
}

/** The number of a row: entry, record, line no. */
function isRowNumber(name: string, type: string): boolean {
  return type === "INT64" && /^(entry|record|row|line|seq|sequence|serial)([_\s]?(no|nr|num|number))?$/i.test(name);
}
