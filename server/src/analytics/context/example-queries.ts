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
 * The authored query that asks the same and that `accepts` takes, as it returns it: the same words in the same order, but for the values of its parameters, which stand
 * as `@name` or `{name}` in its question.
 */
export function matchQuery(
  question: string,
  queries: readonly AuthoredQuery[],
  accepts: (match: Match) => Match | undefined = (match) => match,
): Match | undefined {
  if (question.length > MAX_QUESTION_CHARACTERS) return undefined;
  for (const query of queries) {
    const values = matchWords(question, query);
    const match = values && accepts({ query, values });
    if (match) return match;
  }
  return undefined;
}

/** The authored queries most similar to a question, as examples for a planner. */
export function nearestQueries(
  question: string,
  queries: readonly AuthoredQuery[],
  count: number,
): readonly AuthoredQuery[] {
  const questionWords = new Set(wordsOf(question.slice(0, MAX_QUESTION_CHARACTERS)));
  const score = (query: AuthoredQuery) => {
    const words = wordsOf(query.question);
    return words.filter((word) => questionWords.has(word)).length / Math.sqrt(words.length + 1);
  };
  return queries.toSorted((left, right) => score(right) - score(left)).slice(0, count);
}

const SLOT = /[@{]\{?(\w+)\}?\}?/g;

/** Longer questions are not matched: authors write a sentence. */
const MAX_QUESTION_WORDS = 100;
const MAX_QUESTION_CHARACTERS = 4_000;

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
  return [...text.matchAll(/"[^"]*"|(?:!=|[^\s"?!,;])+/gu)].flatMap(({ 0: written, index }) => {
    const stem = wordsOf(written).join(" ");
    return stem === "" ? [] : [{ stem, start: index, end: index + written.length }];
  });
}

type SlotValues = readonly { readonly name: string; readonly value: string }[];

/** Aligns parts with words in order; each parameter takes one word or more, as few as possible. */
function align(pieces: readonly Piece[], words: readonly PlacedWord[], text: string): SlotValues | undefined {
  /** Pairs of a part and a word from which the rest does not fit: without them, each parameter would multiply the attempts. */
  const hopeless = new Set<number>();
  const alignFrom = (part: number, word: number): SlotValues | undefined => {
    const place = part * (words.length + 1) + word;
    if (hopeless.has(place)) return undefined;
    const found = attempt(part, word);
    if (!found) hopeless.add(place);
    return found;
  };
  const attempt = (part: number, word: number): SlotValues | undefined => {
    const piece = pieces[part];
    if (!piece) return word === words.length ? [] : undefined;
    if ("word" in piece) return words[word]?.stem === piece.word ? alignFrom(part + 1, word + 1) : undefined;
    for (let end = word + 1; end <= words.length; end++) {
      const rest = alignFrom(part + 1, end);
      if (rest) return [{ name: piece.slot, value: spelled(words.slice(word, end), text) }, ...rest];
    }
    return undefined;
  };
  return alignFrom(0, 0);
}

/** A value keeps its spelling; quotes around it and the sentence's last mark are not part of it. */
function spelled(words: readonly PlacedWord[], text: string): string {
  const written = text.slice(words[0]?.start, words.at(-1)?.end);
  return written.replace(/^["“']|(?<!["”'.])["”'.]+$/gu, "");
}

/** Words in singular, without marks: "orders?" and "order" are the same. */
function wordsOf(text: string): readonly string[] {
  return tokenize(text).map(({ kind, stem, text: written }) => (kind === "quoted" ? written.toLowerCase() : stem));
}
