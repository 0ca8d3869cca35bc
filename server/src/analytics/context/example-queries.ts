import type { Context, ExampleQuery } from "@frontdesk/protos/gda/context";
import { tokenize } from "./tokenizer.ts";
import { parseYamlInstruction } from "./yaml-instruction.ts";

/** A question that the author answered with SQL. */
export interface AuthoredQuery {
  readonly question: string;
  readonly sql: string;
  /** The message it came as; absent for golden queries of a YAML instruction. */
  readonly example?: ExampleQuery;
}

/** An authored query that matches the question, with the values of its parameters (CA-17). */
export interface Match {
  readonly query: AuthoredQuery;
  readonly values: readonly { readonly name: string; readonly value: string; readonly type: string }[];
}

/** Every query that the author wrote. */
export function authoredQueries(context: Context): readonly AuthoredQuery[] {
  const structured = context.exampleQueries.flatMap((example) =>
    example.query.case === "sqlQuery"
      ? [{ question: example.naturalLanguageQuestion, sql: example.query.value, example }]
      : [],
  );
  const withWarning = parseYamlInstruction(context.systemInstruction).tables.flatMap(
    ({ goldenQueries }) => goldenQueries,
  );
  return [...structured, ...withWarning].filter(({ question, sql }) => question !== "" && sql !== "");
}

/**
 * The authored query that asks the same: the same words in the same order, but for the values of its parameters, which stand
 * as `@name` or `{name}` in its question.
 */
export function matchQuery(question: string, queries: readonly AuthoredQuery[]): Match | undefined {
  for (const query of queries) {
    const values = matchWords(question, query);
    if (values) return { query, values };
  }
  return undefined;
}

/** The authored queries most similar to a question, as examples for a planner. */
export function nearestQueries(
  question: string,
  queries: readonly AuthoredQuery[],
  count: number,
): readonly AuthoredQuery[] {
  const questionWords = new Set(wordsOf(question));
  const score = (query: AuthoredQuery) => {
    const words = wordsOf(query.question);
    return words.filter((word) => questionWords.has(word)).length / Math.sqrt(words.length + 1);
  };
  return queries.toSorted((left, right) => score(right) - score(left)).slice(0, count);
}

const SLOT = /[@{]\{?(\w+)\}?\}?/g;

/** Longer questions are not matched. */
const MAX_QUESTION_WORDS = 100;

/** A part of an authored question: a word that must occur, or a parameter. */
type Piece = { readonly word: string } | { readonly slot: string };

function matchWords(question: string, { question: authored, example }: AuthoredQuery): Match["values"] | undefined {
  const pieces = authored
    .split(SLOT)
    .flatMap((text, at): readonly Piece[] =>
      at % 2 === 1 ? [{ slot: text }] : wordsOf(text).map((word) => ({ word })),
    );
  const words = placedWords(question);
  const values = words.length > MAX_QUESTION_WORDS ? undefined : align(pieces, words, question);
  return values?.map(({ name, value }) => ({
    name,
    value,
    type: example?.parameters.find((parameter) => parameter.name === name)?.dataType || "STRING",
  }));
}

/** A word of the question: its stem and its position. */
interface PlacedWord {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

function placedWords(text: string): readonly PlacedWord[] {
  return [...text.matchAll(/"[^"]*"|[^\s"?!,;]+/gu)].flatMap(({ 0: written, index }) => {
    const stem = wordsOf(written).join(" ");
    return stem === "" ? [] : [{ stem, start: index, end: index + written.length }];
  });
}

type SlotValues = readonly { readonly name: string; readonly value: string }[];

/** Aligns parts with words in order; each parameter takes one word or more, as few as possible. */
function align(pieces: readonly Piece[], words: readonly PlacedWord[], text: string): SlotValues | undefined {
  const [piece, ...more] = pieces;
  if (!piece) return words.length === 0 ? [] : undefined;
  if ("word" in piece) return words[0]?.stem === piece.word ? align(more, words.slice(1), text) : undefined;
  for (let count = 1; count <= words.length; count++) {
    const rest = align(more, words.slice(count), text);
    if (rest) return [{ name: piece.slot, value: spelled(words.slice(0, count), text) }, ...rest];
  }
  return undefined;
}

/** A value keeps its spelling; quotes around it and the sentence's last mark are not part of it. */
function spelled(words: readonly PlacedWord[], text: string): string {
  const written = text.slice(words[0]?.start, words.at(-1)?.end);
  return written.replace(/^["“']|["”'.]+$/gu, "");
}

/** Words in singular, without marks: "orders?" and "order" are the same. */
function wordsOf(text: string): readonly string[] {
  return tokenize(text).map(({ kind, stem, text: written }) => (kind === "quoted" ? written.toLowerCase() : stem));
}
