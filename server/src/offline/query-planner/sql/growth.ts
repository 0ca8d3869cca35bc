import type { Grain } from "../time/period.ts";
import type { Group, Parts, Value } from "./parts.ts";
import { windowOverTime } from "./window-over-time.ts";

/** How many units back the same one of the year before is. */
const UNITS_A_YEAR: Readonly<Record<string, number>> = {
  year: 1,
  quarter: 4,
  month: 12,
  week: 52,
  day: 365,
} satisfies Record<Grain, number>;

/** How much a number has grown since the unit before, or the same of the year before, as a column in percent. */
export function growthColumn({ text }: Value, time: Group, { groups, query, words, model }: Parts): string {
  const back = query.growth === "year" ? (UNITS_A_YEAR[time.name] ?? 1) : 1;
  const before = `lag(${text}${back > 1 ? `, ${back}` : ""}) OVER ${windowOverTime(groups, time)}`;
  const growth = words.rounded(`100.0 * (${text} - ${before}) / nullif(${before}, 0)`);
  return `${growth} AS ${model.source.quoteName("growth_percent")}`;
}

/** The statement without the unit before the period: its window sees it, the answer does not show it. */
export function shownFrom(first: string, time: Group, lines: readonly string[], { groups, model }: Parts): string {
  const quote = model.source.quoteName;
  const inner = lines.join("\n  ");
  const order = groups.map(({ name }) => quote(name)).join(", ");
  return `SELECT *\nFROM (\n  ${inner}\n) AS grown\nWHERE ${quote(time.name)} >= DATE '${first}'\nORDER BY ${order}`;
}
