import type { SemanticModel, Token } from "#analytics";
import { productColumn } from "../lexicon/computed-columns.ts";
import { isKey, isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Constituent, ReadRef } from "./constituent.ts";

type Ref = Extract<Constituent, { kind: "ref" }>;

const TIMES = /^(time|x|multiplied)$/;

/** "quantity times unit price", "price multiplied by quantity". */
export function readProduct(tokens: readonly Token[], at: number, model: SemanticModel, readRef: ReadRef) {
  const one = readRef(at);
  const sign = at + (one?.length ?? 0);
  if (!one || !TIMES.test(tokens[sign]?.stem ?? "")) return undefined;
  const begin = sign + (tokens[sign + 1]?.stem === "by" ? 2 : 1);
  const other = readRef(begin);
  const constituent = other && productOf(one.ref, other.ref, model);
  return constituent && { constituent, length: begin + other.length - at };
}

/** Two numbers of a row, or of a row and one that it belongs to; undefined where they are not. */
function productOf(one: Ref, other: Ref, model: SemanticModel): Ref | undefined {
  const joins = joinsOf(model);
  const pairs = numbersOf(one).flatMap((left) =>
    numbersOf(other).flatMap((right) => {
      if (left.column === right.column) return [];
      if (joins.path(left.table, right.table, new Set())) return [{ owner: left.table, left, right }];
      return joins.path(right.table, left.table, new Set()) ? [{ owner: right.table, left, right }] : [];
    }),
  );
  const own = pairs.filter(({ left, right }) => left.table === right.table);
  const meanings = (own.length > 0 ? own : pairs).map(
    ({ owner, left, right }): Meaning => ({ kind: "column", table: owner, column: productColumn(left, right) }),
  );
  if (meanings.length === 0) return undefined;
  return { kind: "ref", text: `${one.text} times ${other.text}`, meanings, plural: false };
}

function numbersOf({ meanings }: Ref) {
  return meanings.flatMap((one) =>
    one.kind === "column" && isNumeric(one.column) && !isKey(one.table, one.column) ? [one] : [],
  );
}
