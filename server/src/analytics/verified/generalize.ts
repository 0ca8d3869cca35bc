import type { QueryParameter } from "#warehouse";
import { bareStatement, comparedColumn, NEARBY } from "./statement.ts";

/** A question and its statement, with parameters in place of values that stand in both. */
export interface GeneralQuery {
  readonly question: string;
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
}

/** Shorter texts are codes, which a question seldom means. */
const MIN_TEXT = 2;

/**
 * Makes parameters of the values that a question gives its statement: texts that the statement compares a column with, and whole numbers. Each must
 * stand once in the question, numbers once in the statement as well, so that nothing else is meant by them.
 */
export function generalize(question: string, sql: string, castNumbers: boolean): GeneralQuery {
  let query: GeneralQuery = { question, sql, parameters: [] };
  if (/@/.test(bareStatement(sql)) || /[@{}]/.test(question)) return query;
  for (const { text, value, at } of textsOf(sql)) {
    if (value.length < MIN_TEXT) continue;
    query = withParameter(query, { written: value, text, type: "STRING", value }, comparedColumn(sql, at) ?? "value");
  }
  for (const { text, name } of numbersOf(query.sql))
    query = withParameter(query, { written: text, text, type: "INT64", value: text, cast: castNumbers }, name);
  return query;
}

interface Value extends Pick<QueryParameter, "type" | "value"> {
  /** As the question writes it. */
  readonly written: string;
  /** As the statement does. */
  readonly text: string;
  readonly cast?: boolean;
}

function withParameter(query: GeneralQuery, { written, text, type, value, cast }: Value, wanted: string): GeneralQuery {
  const found = placeInQuestion(query, written, value, wanted);
  if (!found) return query;
  const { name, question } = found;
  const parameter = cast ? `CAST(@${name} AS BIGINT)` : `@${name}`;
  const sql = replaceLiteral(query.sql, text, parameter);
  return { question, sql, parameters: [...query.parameters, { name, type, value }] };
}

/** The query with a parameter for a text that stands once in its question; the statement stays. Undefined where the text is too short, absent or there twice. */
export function parameterInQuestion(query: GeneralQuery, value: string, wanted: string): GeneralQuery | undefined {
  const found = value.length < MIN_TEXT ? undefined : placeInQuestion(query, value, value, wanted);
  if (!found) return undefined;
  const parameter = { name: found.name, type: "STRING", value };
  return { ...query, question: found.question, parameters: [...query.parameters, parameter] };
}

function placeInQuestion({ question, parameters }: GeneralQuery, written: string, value: string, wanted: string) {
  const places = [...question.matchAll(wholeWords(written))];
  const [place] = places;
  if (places.length !== 1 || !place || parameters.some((one) => one.value === value)) return undefined;
  const name = freeName(wanted, parameters);
  const after = question.slice(place.index + place[0].length);
  return { name, question: `${question.slice(0, place.index)}@${name}${after}` };
}

function freeName(wanted: string, taken: readonly QueryParameter[]): string {
  const base = wanted
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^(?=\d)/, "n");
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!taken.some((one) => one.name === name)) return name;
  }
}

function wholeWords(text: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])["“']?${RegExp.escape(text)}["”']?(?![\\p{L}\\p{N}])`, "giu");
}

/** Texts in single quotes that a column is compared with. */
function textsOf(sql: string): readonly { readonly text: string; readonly value: string; readonly at: number }[] {
  const texts = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(({ 0: text, 1: value = "", index }) => ({
    ...{ text, value: value.replaceAll("''", "'"), at: index },
  }));
  return texts.filter(({ at }) => comparedColumn(sql, at) !== undefined);
}

/** Whole numbers that a column is compared with, or that limit the rows; those that stand for several such things left out. */
function numbersOf(sql: string): readonly { readonly text: string; readonly name: string }[] {
  const numbers = [...bareStatement(sql).matchAll(NUMBER)].flatMap(({ 0: text, index }) => {
    const name = limitsRows(sql, index) ? "top" : comparedColumn(sql, index);
    return name ? [{ text, name }] : [];
  });
  return numbers.filter(({ text }) => numbers.filter((other) => other.text === text).length === 1);
}

/** Whether the number at a place is that of the rows of a ranking. */
function limitsRows(sql: string, at: number): boolean {
  return LIMITS_ROWS.test(sql.slice(Math.max(0, at - NEARBY), at).trimEnd());
}

const LIMITS_ROWS =
  /(?:\bLIMIT|\bTOP(?:\s*\()?|\bFETCH\s+(?:NEXT|FIRST)|\b(?:dense_rank|rank|row_number)\(\)\s+OVER\s*\([\s\S]*\)\s*<=)$/i;
const NUMBER = /(?<![\w.$@-])\d+(?![\w.])/g;

/** Replaces a text wherever it stands, and a number where `numbersOf` found it. */
function replaceLiteral(sql: string, text: string, by: string): string {
  if (text.startsWith("'")) return sql.split(text).join(by);
  return bareStatement(sql)
    .matchAll(NUMBER)
    .filter(({ 0: number, index }) => number === text && isValue(sql, index))
    .reduce((_, { index }) => sql.slice(0, index) + by + sql.slice(index + text.length), sql);
}

function isValue(sql: string, at: number): boolean {
  return limitsRows(sql, at) || comparedColumn(sql, at) !== undefined;
}
