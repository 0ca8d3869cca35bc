import { rejected } from "../../statement-check/statement-check.ts";
import { SET_OPERATIONS } from "./keywords.ts";
import { Refusal } from "./refusal.ts";
import { type Item, isSymbol, isWord } from "./tokens.ts";
import { type Writer, writeValue } from "./writer.ts";

/**
 * Writes `LIMIT count`, with `OFFSET rows` or as `LIMIT rows, count`, for a dialect that has none: as TOP behind the SELECT of this level, or, where rows are left out or queries are
 * united, as OFFSET and FETCH behind an order. Returns where the statement goes on.
 */
export function writeLimit(items: readonly Item[], at: number, columnsAt: number | undefined, writer: Writer): number {
  const { written } = writer;
  const first = numberAt(items, at + 1, writer);
  const isPair = isSymbol(items[at + 2], ",");
  const second = isPair || isWord(items[at + 2], "OFFSET") ? numberAt(items, at + 3, writer) : undefined;
  const [count, offset] = isPair ? [second, first] : [first, second];
  const before = items.slice(0, at);
  if (offset === undefined && columnsAt !== undefined && !before.some((item) => isWord(item, ...SET_OPERATIONS))) {
    const isQuantified = /^(?:DISTINCT|ALL)$/i.test(written[columnsAt] ?? "");
    written.splice(isQuantified ? columnsAt + 1 : columnsAt, 0, `TOP (${count})`);
  } else {
    const isOrdered = before.some((item, index) => isWord(item, "ORDER") && isWord(items[index + 1], "BY"));
    if (!isOrdered) written.push("ORDER BY 1");
    written.push(`OFFSET ${offset ?? 0} ROWS FETCH NEXT ${count} ROWS ONLY`);
  }
  return second === undefined ? at + 2 : at + 4;
}

function numberAt(items: readonly Item[], at: number, writer: Writer): string {
  const item = items[at];
  if (item?.kind !== "number" && item?.kind !== "parameter")
    throw new Refusal(rejected("LIMIT", "a number is expected behind it"));
  writeValue(item, writer);
  return writer.written.pop() ?? "";
}
