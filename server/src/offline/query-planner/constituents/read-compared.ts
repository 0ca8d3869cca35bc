import type { SemanticModel, SemanticTable, Token } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import type { Comparison } from "../lexicon/comparison.ts";
import { comparedColumn } from "../lexicon/computed-columns.ts";
import { isNumeric, isTemporal, type Meaning } from "../lexicon/meaning.ts";
import { roleOf } from "../lexicon/roles.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Constituent, ReadRef } from "./constituent.ts";

type Ref = Extract<Constituent, { kind: "ref" }>;

const OPERATORS: readonly (readonly [words: string, comparison: Comparison])[] = [
  ["be not the same as|be not equal to|be not|be different from|be other than|not equal to|do not equal", "<>"],
  ["differ from|different from|other than|unequal to|<>|!=", "<>"],
  ["be the same as|be equal to|be identical to|the same as|same as|equal to|equal|match|be|=", "="],
  [">=|at least|no less than|not less than|no earlier than|not earlier than|not before|on or after", ">="],
  ["<=|at most|no more than|not more than|no later than|not later than|not after|on or before", "<="],
  [">|more than|greater than|larger than|higher than|bigger than|above|exceed|later than|newer than|after", ">"],
  ["<|less than|smaller than|lower than|below|earlier than|older than|before", "<"],
];

const ENTRIES = OPERATORS.flatMap(([phrases, comparison]) =>
  phrases.split("|").map((phrase) => ({ words: phrase.split(" "), comparison })),
).toSorted((left, right) => right.words.length - left.words.length);

/** Of times alone: "price before tax" compares nothing. */
const OF_TIMES = /\b(later|earlier|newer|older|after|before)\b/;

const BE = /^(is|are|was|were|be)$/;
const ARTICLE = /^(the|its|their|his|her)$/;

/** What is compared of two columns named before: "where origin and destination country are the same". */
const BETWEEN: readonly (readonly [word: RegExp, comparison: Comparison])[] = [
  [/^(same|equal|identical)$/, "="],
  [/^(different|unequal|differ)$/, "<>"],
];

/** "origin country is destination country", "freight above cost", "ship date and due date differ": two columns of a row, compared (CA-110). */
export function readCompared(
  tokens: readonly Token[],
  at: number,
  model: SemanticModel,
  readRef: ReadRef,
): { readonly constituent: Constituent; readonly length: number } | undefined {
  const one = readRef(at);
  // "products costing more than their price" may be of either.
  if (!one || /ing$/i.test(tokens[at]?.text ?? "")) return undefined;
  const found = operatorBetween(tokens, at + one.length, readRef) ?? operatorBehind(tokens, at + one.length, readRef);
  if (!found) return undefined;
  const meanings = meaningsOf(one.ref, found, model);
  if (meanings.length === 0) return undefined;
  const text = tokens
    .slice(at, found.end)
    .map((token) => token.text || token.stem)
    .join(" ");
  return { constituent: { kind: "ref", text, meanings, plural: false }, length: found.end - at };
}

interface Found {
  readonly comparison: Comparison;
  readonly other: Ref;
  readonly end: number;
  /** Whether the words are of times alone. */
  readonly isOfTimes: boolean;
}

function operatorBetween(tokens: readonly Token[], at: number, readRef: ReadRef): Found | undefined {
  for (const begin of BE.test(tokens[at]?.stem ?? "") ? [at, at + 1] : [at]) {
    const found = ENTRIES.find(({ words }) => words.every((word, offset) => isWord(tokens[begin + offset], word)));
    const other = found && behindArticle(tokens, begin + found.words.length, readRef);
    if (!found || !other) continue;
    const isOfTimes = OF_TIMES.test(found.words.join(" "));
    return { comparison: found.comparison, other: other.ref, end: other.end, isOfTimes };
  }
  return undefined;
}

function operatorBehind(tokens: readonly Token[], at: number, readRef: ReadRef): Found | undefined {
  const other = tokens[at]?.stem === "and" ? behindArticle(tokens, at + 1, readRef) : undefined;
  if (!other) return undefined;
  const word = [other.end, other.end + 1, other.end + 2].find(
    (place) => !BE.test(tokens[place]?.stem ?? "") && !ARTICLE.test(tokens[place]?.stem ?? ""),
  );
  const found = BETWEEN.find(([pattern]) => pattern.test(tokens[word ?? -1]?.stem ?? ""));
  return found && word !== undefined
    ? { comparison: found[1], other: other.ref, end: word + 1, isOfTimes: false }
    : undefined;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token !== undefined && (token.stem === word || (word === "be" && BE.test(token.stem)));
}

function behindArticle(tokens: readonly Token[], at: number, readRef: ReadRef) {
  const begin = at + (ARTICLE.test(tokens[at]?.stem ?? "") ? 1 : 0);
  const read = readRef(begin);
  return read && { ref: read.ref, end: begin + read.length };
}

/** The pairs of columns that can be compared: those of one table, else of two that rows of a third, or of one of them, lead to. */
function meaningsOf(one: Ref, { other, comparison, isOfTimes }: Found, model: SemanticModel): readonly Meaning[] {
  const pairs = columnsOf(one).flatMap((left) =>
    columnsOf(other).flatMap((right) => {
      if (left.column === right.column || !areAlike(left, right, comparison)) return [];
      if (isOfTimes && !isTemporal(left.column)) return [];
      const owner = ownerOf(left.table, right.table, model);
      return owner ? [{ owner, left, right }] : [];
    }),
  );
  const own = pairs.filter(({ left, right }) => left.table === right.table);
  return (own.length > 0 ? own : pairs).map(({ owner, left, right }) => ({
    kind: "value",
    table: owner,
    column: comparedColumn(left, comparison, right),
    value: "1",
  }));
}

/** None where the word may be rows or a state: "orders were delivered" compares nothing. */
function columnsOf({ meanings }: Ref): readonly ColumnRef[] {
  if (meanings.some(({ kind }) => kind === "table" || kind === "value")) return [];
  return meanings.flatMap((one) => (one.kind === "column" ? [one] : []));
}

/** Numbers with numbers, times with times; texts are the same or not. */
function areAlike({ column: left }: ColumnRef, { column: right }: ColumnRef, comparison: Comparison): boolean {
  if (isTemporal(left) || isTemporal(right)) return isTemporal(left) && isTemporal(right);
  if (isNumeric(left) || isNumeric(right)) return isNumeric(left) && isNumeric(right);
  return left.type === right.type && (comparison === "=" || comparison === "<>");
}

/** The table whose rows have both: one of the two, or the one whose references they are. */
function ownerOf(left: SemanticTable, right: SemanticTable, model: SemanticModel): SemanticTable | undefined {
  const joins = joinsOf(model);
  const candidates = [left, right, roleOf(left)?.reference.from, roleOf(right)?.reference.from];
  return candidates.find(
    (one) => one !== undefined && joins.path(one, left, new Set()) && joins.path(one, right, new Set()),
  );
}
