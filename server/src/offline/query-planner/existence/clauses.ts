import type { SemanticModel, SemanticTable } from "#analytics";
import type { Item } from "../parse/item.ts";
import { factOf } from "./fact.ts";
import { isMeasure, isNoValue } from "./pieces.ts";

/** Pieces about one thing that happened, or that did not. */
export interface Clause {
  readonly negated: boolean;
  readonly both: boolean;
  readonly items: readonly Item[];
}

/** What happened begins with a word for it, with a table whose rows belong to the thing, or with its denial. */
export function begins(item: Item, next: Item | undefined, subject: SemanticTable, model: SemanticModel): boolean {
  if (item.kind === "event" || item.kind === "both") return true;
  if (item.kind === "not") return next?.kind === "event" || factOf(next, subject, model) !== undefined;
  return factOf(item, subject, model) !== undefined && !(item.kind === "ref" && isMeasure(item));
}

/** "customers with delivered orders": how many values right before what happened are of that, and not of the thing. */
export function chosenBefore(items: readonly Item[], subject: SemanticTable): number {
  const others = items.findLastIndex((item) => isNoValue(item) || isOf(item, subject));
  return items.length - 1 - others;
}

function isOf(item: Item, table: SemanticTable): boolean {
  return item.kind === "ref" && item.meanings.some((meaning) => meaning.kind === "value" && meaning.table === table);
}

/** What happened, piece by piece: each denial begins another clause. */
export function clausesOf(items: readonly Item[]): readonly Clause[] {
  const clauses: { negated: boolean; both: boolean; items: Item[] }[] = [{ negated: false, both: false, items: [] }];
  for (const item of items) {
    const clause = clauses.at(-1);
    if (!clause) continue;
    if (item.kind === "not" && clause.items.length > 0) clauses.push({ negated: true, both: false, items: [] });
    else if (item.kind === "not") clause.negated = true;
    else if (item.kind === "both") clause.both = true;
    else clause.items.push(item);
  }
  return clauses;
}
