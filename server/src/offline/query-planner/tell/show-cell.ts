import type { JsonValue } from "#base";

/** A cell as a person reads it: thousands apart, at most two places; everything that is no number as it is. */
export function showCell(cell: JsonValue): string {
  if (cell === null) return "–";
  if (typeof cell !== "string") return JSON.stringify(cell);
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell)) return cell;
  const number = Number(cell);
  return number.toLocaleString("en-US", { maximumFractionDigits: Math.abs(number) < 1 ? 4 : 2 });
}
