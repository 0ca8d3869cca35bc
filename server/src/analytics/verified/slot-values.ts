import type { QueryParameter } from "#warehouse";
import type { AuthoredQuery, Match } from "../context/example-queries.ts";
import type { SemanticColumn, SemanticModel } from "../contract.ts";
import { phrasesOf, plain } from "../retrieval/phrases.ts";
import { spelledNumbers } from "../verification/number-words.ts";
import { extractDates } from "../verification/parse-dates.ts";
import { comparedColumn } from "./statement.ts";

/** A parameter of a verified query: its type, and the columns that its values are of. */
interface Slot {
  readonly name: string;
  readonly type: string;
  readonly columns: readonly SemanticColumn[];
}

/** The slots of a query by name. Columns are those that the statement compares with the parameter. */
export function slotsOf(
  { sql, example }: AuthoredQuery,
  names: readonly string[],
  model: SemanticModel,
): readonly Slot[] {
  return names.map((name) => {
    const at = sql.search(new RegExp(`@${name}\\b`));
    const column = at < 0 ? undefined : comparedColumn(sql, at)?.toLowerCase();
    const type = example?.parameters.find((parameter) => parameter.name === name)?.dataType || "STRING";
    const all = model.tables.flatMap(({ columns }) => columns);
    return { name, type: type.toUpperCase(), columns: all.filter((one) => one.name.toLowerCase() === column) };
  });
}

/** The match with its values as the engine needs them; undefined where one is no value of its parameter. */
export function withResolvedValues(match: Match, model: SemanticModel): Match | undefined {
  const slots = slotsOf(
    match.query,
    match.values.map(({ name }) => name),
    model,
  );
  const values: QueryParameter[] = [];
  for (const [at, slot] of slots.entries()) {
    const value = resolveValue(slot, match.values[at]?.value ?? "", model);
    if (value === undefined) return undefined;
    values.push({ name: slot.name, type: slot.type, value });
  }
  return { ...match, values };
}

/** Words that begin no value of a column, such as "the last month". */
const NO_VALUE = /^(?:the|an?|each|every|all|any|last|past|this|these|next|previous|most|more|less)\b/i;
const MAX_VALUE_WORDS = 6;

/** A text of the question as a value: numbers and days by their type, texts as the column spells them. */
function resolveValue(slot: Slot, written: string, model: SemanticModel): string | undefined {
  switch (slot.type) {
    case "INT64":
    case "INTEGER":
      return numberIn(written, /^[-−]?\d{1,3}(?:,\d{3})+$|^[-−]?\d+$/);
    case "FLOAT64":
    case "NUMERIC":
      return numberIn(written, /^[-−]?[\d,]*(?:\.\d+|(?<=\d))$/);
    case "DATE":
      return dayIn(written);
    case "STRING":
      return spelledAsStored(slot, written, model);
    default:
      return written;
  }
}

function numberIn(written: string, form: RegExp): string | undefined {
  const text = written.trim();
  if (form.test(text)) return text.replaceAll(",", "").replace("−", "-");
  const [spelled] = spelledNumbers(text);
  return spelled && spelled.at === 0 && spelled.end === text.length ? String(spelled.value) : undefined;
}

function dayIn(written: string): string | undefined {
  const { rest, dates } = extractDates(written);
  const [date] = dates;
  const isDay = dates.length === 1 && rest.trim() === "" && date?.readings.length === 1;
  return isDay && /^\d{4}-\d{2}-\d{2}$/.test(date.readings[0] ?? "") ? date.readings[0] : undefined;
}

function spelledAsStored({ columns }: Slot, written: string, model: SemanticModel): string | undefined {
  const key = plain(written);
  const stored = columns
    .flatMap(({ values = [], found = [] }) => [...values, ...found])
    .find((value) => plain(value) === key);
  if (stored !== undefined) return stored;
  const names = new Set(columns.map(({ name }) => name));
  const indexed = model.valuesIn?.(written).find(({ column, value }) => names.has(column) && plain(value) === key);
  if (indexed) return indexed.value;
  if (columns.length > 0 && columns.every(({ values }) => values !== undefined)) return undefined;
  return NO_VALUE.test(written) || key.split(" ").length > MAX_VALUE_WORDS ? undefined : written;
}

/** A value in a question: the words that it takes of `plain(question)`. */
interface FoundSlotValue {
  readonly at: number;
  readonly length: number;
  readonly value: string;
}

/** Values that a question may give a slot, in its order; of texts, only those that the column is known to have. */
export function valuesIn(slot: Slot, question: string, model: SemanticModel): readonly FoundSlotValue[] {
  const words = plain(question).split(" ");
  const isText = slot.type === "STRING";
  const known = isText ? knownValues(slot, question, model) : undefined;
  const found = phrasesOf(question).flatMap(({ phrase, at }): FoundSlotValue[] => {
    const value = known ? known.get(phrase) : isText ? undefined : resolveValue(slot, phrase, model);
    return value === undefined ? [] : [{ at, length: phrase.split(" ").length, value }];
  });
  // Longer ones come first and win over those inside them.
  const taken = new Array<boolean>(words.length).fill(false);
  return found
    .filter(({ at, length }) => {
      if (taken.slice(at, at + length).some(Boolean)) return false;
      taken.fill(true, at, at + length);
      return true;
    })
    .toSorted((one, other) => one.at - other.at);
}

function knownValues({ columns }: Slot, question: string, model: SemanticModel): ReadonlyMap<string, string> {
  const names = new Set(columns.map(({ name }) => name));
  const listed = columns.flatMap(({ values = [], found = [] }) => [...values, ...found]);
  const indexed = model.valuesIn?.(question).filter(({ column }) => names.has(column)) ?? [];
  return new Map([...listed, ...indexed.map(({ value }) => value)].map((value) => [plain(value), value]));
}
