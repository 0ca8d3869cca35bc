import type { SemanticModel, SemanticTable } from "#analytics";
import { isTemporal, type Meaning } from "../lexicon/meaning.ts";
import { timeColumns } from "../lexicon/table-words.ts";
import type { Item } from "../parse/item.ts";
import { joinsOf } from "../query/join-graph.ts";
import { isNoValue } from "./pieces.ts";

/** The table of what happens to the subject, where a piece speaks of it. */
export function factOf(
  item: Item | undefined,
  subject: SemanticTable,
  model: SemanticModel,
): SemanticTable | undefined {
  if (item?.kind !== "ref") return undefined;
  const joins = joinsOf(model);
  const speaks = (meaning: Meaning) =>
    (meaning.kind === "table" || meaning.kind === "measure" || (isMoment(meaning) && isNoValue(item))) &&
    meaning.table !== subject &&
    joins.path(meaning.table, subject, new Set()) !== undefined;
  return item.meanings.find(speaks)?.table;
}

/** "ordered" is said of ordered_at: it happened. */
function isMoment(meaning: Meaning): boolean {
  return meaning.kind === "column" && isTemporal(meaning.column);
}

/** The nearest table whose rows belong to the thing and happened at some time. */
export function usualFact(subject: SemanticTable, model: SemanticModel): SemanticTable | undefined {
  if (happensItself(subject)) return undefined;
  const joins = joinsOf(model);
  const found = model.tables.flatMap((table) => {
    const steps = table === subject ? undefined : joins.path(table, subject, new Set())?.steps.length;
    const dated = model.tables.some(
      (other) =>
        other !== subject && timeColumns(other).length > 0 && joins.path(table, other, new Set()) !== undefined,
    );
    return steps !== undefined && dated ? [{ table, steps }] : [];
  });
  return found.toSorted((left, right) => left.steps - right.steps)[0]?.table;
}

/** A table whose rows are themselves what happened: an order was placed, its lines were not. */
function happensItself(table: SemanticTable): boolean {
  return timeColumns(table).some(({ name }) => /order|purchas|sale|sold|bought|transaction|event|visit/i.test(name));
}
