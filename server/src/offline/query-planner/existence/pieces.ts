import type { SemanticTable } from "#analytics";
import type { Item } from "../parse/item.ts";
import type { Period } from "../time/period.ts";

/** The table that a piece names; undefined where it stands for a number. */
export function tableOf(item: Item | undefined): SemanticTable | undefined {
  if (item?.kind !== "ref" || isMeasure(item)) return undefined;
  return item.meanings.find(({ kind }) => kind === "table")?.table;
}

/** Whether a piece can stand for a number that the author named. */
export function isMeasure({ meanings }: Extract<Item, { kind: "ref" }>): boolean {
  return meanings.some(({ kind }) => kind === "measure");
}

/** "no cancelled orders": what is denied stands behind the values that choose it. */
export function isNoValue(item: Item): boolean {
  return item.kind !== "ref" || !item.meanings.some(({ kind }) => kind === "value");
}

/** The first time that is named. */
export function periodOf(items: readonly Item[]): Period | undefined {
  return items.find((item) => item.kind === "period")?.period;
}
