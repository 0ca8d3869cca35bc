import type { SemanticModel, SemanticTable } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import { isTemporal, type Meaning } from "../lexicon/meaning.ts";
import { timeColumns } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Period } from "../time/period.ts";

/** The fact table of a subject that a constituent refers to. */
export function factTableOf(
  constituent: Constituent | undefined,
  subject: SemanticTable,
  model: SemanticModel,
): SemanticTable | undefined {
  if (constituent?.kind !== "ref") return undefined;
  const joins = joinsOf(model);
  const speaks = (meaning: Meaning) =>
    (meaning.kind === "table" || meaning.kind === "measure" || (isFirstMoment(meaning) && isNoValue(constituent))) &&
    meaning.table !== subject &&
    joins.path(meaning.table, subject, new Set()) !== undefined;
  return constituent.meanings.find(speaks)?.table;
}

/** "ordered" refers to ordered_at, with which an order begins; "discharged" is a later time of an admission, which there may be without it. */
function isFirstMoment(meaning: Meaning): boolean {
  return meaning.kind === "column" && isTemporal(meaning.column) && timeColumns(meaning.table)[0] === meaning.column;
}

/** The nearest table whose rows belong to the subject and have a time. */
export function defaultFactTable(subject: SemanticTable, model: SemanticModel): SemanticTable | undefined {
  if (isEventTable(subject)) return undefined;
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

/** Whether the rows of a table are events themselves: an order is, its lines are not. */
function isEventTable(table: SemanticTable): boolean {
  return timeColumns(table).some(({ name }) => /order|purchas|sale|sold|bought|transaction|event|visit/i.test(name));
}

/** The table that a constituent names; undefined where it is a measure. */
export function tableOf(constituent: Constituent | undefined): SemanticTable | undefined {
  if (constituent?.kind !== "ref" || isMeasure(constituent)) return undefined;
  return constituent.meanings.find(({ kind }) => kind === "table")?.table;
}

/** Whether a constituent can be a named measure. */
export function isMeasure({ meanings }: Extract<Constituent, { kind: "ref" }>): boolean {
  return meanings.some(({ kind }) => kind === "measure");
}

/** Whether a constituent is no value: in "no cancelled orders" the negated table follows its values. */
export function isNoValue(constituent: Constituent): boolean {
  return constituent.kind !== "ref" || !constituent.meanings.some(({ kind }) => kind === "value");
}

/** The first period. */
export function periodOf(constituents: readonly Constituent[]): Period | undefined {
  return constituents.find((constituent) => constituent.kind === "period")?.period;
}
