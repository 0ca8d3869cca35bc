import type { SemanticModel, Token } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import { isFlag, isKey, isNumeric, isYear, type Phrase } from "../lexicon/meaning.ts";
import { tableLabel } from "../lexicon/names.ts";
import { isUnit } from "../lexicon/units.ts";
import { readComparison } from "./comparisons.ts";

/** A part of a question in other words: `length` tokens become `tokens`. */
interface Combined {
  readonly tokens: readonly Token[];
  readonly length: number;
}

function word(stem: string): Token {
  return { kind: "word", text: "", stem };
}

/** The longest name of something of the data at a place. */
function phraseAt(tokens: readonly Token[], at: number, model: SemanticModel): Phrase | undefined {
  return lexiconOf(model)
    .get(tokens[at]?.stem ?? "")
    ?.find(({ stems }) => stems.every((stem, offset) => tokens[at + offset]?.stem === stem));
}

/** How many tokens name a number of rows; 0 where they name none. */
export function numberAt(tokens: readonly Token[], at: number, model: SemanticModel): number {
  const phrase = phraseAt(tokens, at, model);
  const isNumber = phrase?.meanings.every(
    (one) =>
      one.kind === "column" &&
      isNumeric(one.column) &&
      !isKey(one.table, one.column) &&
      !isFlag(one.column) &&
      !isYear(one.column),
  );
  return phrase && isNumber && !phrase.isPart ? phrase.stems.length : 0;
}

/** Words between two numbers, and the one that is read for them. */
const BETWEEN: readonly (readonly [words: string, read: string])[] = [
  ["divided by", "per"],
  ["as a percentage of", "per-hundred"],
  ["as a percent of", "per-hundred"],
  ["as percentage of", "per-hundred"],
  ["as percent of", "per-hundred"],
  ["as a share of", "per-hundred"],
  ["as share of", "per-hundred"],
  ["as a proportion of", "per-hundred"],
  ["as % of", "per-hundred"],
  ["minus", "minus-total"],
  ["less", "minus-total"],
  ["plus", "plus-total"],
];

/** "cost as a percentage of revenue", "revenue minus cost", "ratio of revenue to cost": one number with another (CA-94). */
export function combined(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  return (
    ratioOf(tokens, at, model) ??
    shareOfNumber(tokens, at, model) ??
    betweenNumbers(tokens, at, model) ??
    rangeOf(tokens, at, model) ??
    boundOfAmount(tokens, at, model) ??
    mostOfNoun(tokens, at, model)
  );
}

/** "rainiest month", "windiest site": an adjective of the noun that a number is called by ranks what follows by it. */
function mostOfNoun(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  const [adjective, ranked] = tokens.slice(at, at + 2);
  const noun = adjective?.kind === "word" ? /^(\p{L}{3,})iest$/u.exec(adjective.stem)?.[1] : undefined;
  if (noun === undefined || ranked?.kind !== "word" || phraseAt(tokens, at, model)) return undefined;
  // "sunny" is of sun, "noisy" of noise.
  const named = [noun, noun.replace(/(.)\1$/, "$1"), `${noun}e`].map(word).find((one) => numberAt([one], 0, model) > 0);
  return named && { tokens: [word("which"), ranked, word("highest"), named], length: 2 };
}

/** "what share of cyclists is inbound": one number in percent of another, and no comparison of the two. */
function shareOfNumber(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  if (!/^(share|percentage|percent|proportion|fraction|part)$/.test(tokens[at]?.stem ?? "")) return undefined;
  if (tokens[at + 1]?.stem !== "of") return undefined;
  const whole = named(tokens, at + 2, model);
  if (!whole || !/^(is|are|was|were)$/.test(tokens[whole.end]?.stem ?? "")) return undefined;
  const part = named(tokens, whole.end + 1, model);
  return part && { tokens: [...part.tokens, word("per-hundred"), ...whole.tokens], length: part.end - at };
}

/** "temperature range", "range of prices": both ends of a number, unless the data has a name for it (CA-117). */
function rangeOf(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  const ends = (number: readonly Token[], length: number) => ({
    tokens: [word("minimum"), word("and"), word("maximum"), ...number],
    length,
  });
  if (tokens[at]?.stem === "range" && tokens[at + 1]?.stem === "of" && !phraseAt(tokens, at, model)) {
    const of = named(tokens, at + 2, model);
    return of && ends(of.tokens, of.end - at);
  }
  const number = numberAt(tokens, at, model);
  if (number === 0 || tokens[at + number]?.stem !== "range") return undefined;
  return ends(tokens.slice(at, at + number), number + 1);
}

/** "more than 10 mm of rain": the number that is bounded stands behind its bound. */
function boundOfAmount(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  const read = readComparison(tokens, at);
  if (!read || (read.constituent.kind !== "compare" && read.constituent.kind !== "between")) return undefined;
  const end = at + read.length;
  const of = isUnit(tokens[end]?.text ?? "") ? end + 1 : end;
  if (of === end || tokens[of]?.stem !== "of") return undefined;
  const number = named(tokens, of + 1, model);
  return number && { tokens: [...number.tokens, ...tokens.slice(at, of)], length: number.end - at };
}

function ratioOf(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  if (tokens[at]?.stem !== "ratio" || !/^(of|between)$/.test(tokens[at + 1]?.stem ?? "")) return undefined;
  const first = named(tokens, at + 2, model);
  if (!first || !/^(to|and|over)$/.test(tokens[first.end]?.stem ?? "")) return undefined;
  const second = named(tokens, first.end + 1, model);
  return second && { tokens: [...first.tokens, word("per"), ...second.tokens], length: second.end - at };
}

function betweenNumbers(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  const first = numberAt(tokens, at, model);
  if (first === 0) return undefined;
  const behind = at + first;
  for (const [words, read] of BETWEEN) {
    const said = words.split(" ");
    if (!said.every((one, offset) => tokens[behind + offset]?.stem === one)) continue;
    const second = named(tokens, behind + said.length, model);
    if (second) return { tokens: [...tokens.slice(at, behind), word(read), ...second.tokens], length: second.end - at };
  }
  return undefined;
}

/** A number, with "the" and "total" before it left out: both are added up. */
function named(tokens: readonly Token[], at: number, model: SemanticModel) {
  let begin = at;
  while (/^(the|total|sum|of|overall)$/.test(tokens[begin]?.stem ?? "") && numberAt(tokens, begin, model) === 0)
    begin += 1;
  const length = numberAt(tokens, begin, model);
  return length === 0 ? undefined : { tokens: tokens.slice(begin, begin + length), end: begin + length };
}

/** "distribution of fares": five numbers of a number, and how often each value of a text is (CA-95). */
export function distributionOf(tokens: readonly Token[], at: number, model: SemanticModel): Combined | undefined {
  if (!/^(distribution|histogram|spread)$/.test(tokens[at]?.stem ?? "") || tokens[at + 1]?.stem !== "of")
    return undefined;
  const begin = at + (tokens[at + 2]?.stem === "the" ? 3 : 2);
  const number = numberAt(tokens, begin, model);
  if (number > 0) {
    const asked = ["minimum", "p25", "median", "p75", "maximum"].flatMap((one) => [word("and"), word(one)]).slice(1);
    return { tokens: [...asked, ...tokens.slice(begin, begin + number)], length: begin + number - at };
  }
  const phrase = phraseAt(tokens, begin, model);
  const [column] = phrase?.meanings.flatMap((one) => (one.kind === "column" ? [one] : [])) ?? [];
  if (!phrase || !column || !/^(STRING|BOOL)/.test(column.column.type)) return undefined;
  const end = begin + phrase.stems.length;
  const rows = tableLabel(column.table).split(" ").map(word);
  return {
    tokens: [word("number"), word("of"), ...rows, word("by"), ...tokens.slice(begin, end)],
    length: end - at,
  };
}
