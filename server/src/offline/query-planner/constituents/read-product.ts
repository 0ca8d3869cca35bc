import type { SemanticModel } from "#analytics";
import { productColumn } from "../lexicon/computed-columns.ts";
import { isKey, isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Constituent } from "./constituent.ts";

type Ref = Extract<Constituent, { kind: "ref" }>;

/** "quantity times unit price": two numbers of a row, or of a row and one that it belongs to; undefined where they are not. */
export function productOf(one: Ref, other: Ref, model: SemanticModel): Ref | undefined {
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
