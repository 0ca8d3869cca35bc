import type { Parts } from "./parts.ts";

/** A window over the groups, and what it has to be for a group to be shown. */
export interface Choice {
  readonly window: string;
  /** The condition over the window and the first number, both as they are written or by their names. */
  readonly test: (window: string, value: string) => string;
}

/** "top 3 products in each category", "stores with above average revenue": groups are chosen by the others. */
export function choiceOf(parts: Parts): Choice | undefined {
  return bestOfEach(parts) ?? aboveAverage(parts);
}

/** The first way to group is ranked within the others; undefined where it is ranked over all. */
export function bestOfEach({ query, groups, values: [value], words }: Parts): Choice | undefined {
  const [ranked, ...within] = groups.filter(({ time }) => !time);
  const count = query.top?.count;
  if (!count || !ranked || within.length === 0 || !value) return undefined;
  const order = query.top?.direction === "most" ? words.descending(value.text) : `${value.text} ASC`;
  const by = within.flatMap(({ by: keys }) => keys).join(", ");
  const window = `row_number() OVER (PARTITION BY ${by} ORDER BY ${order}, ${ranked.text})`;
  return { window, test: (place) => `${place} <= ${count}` };
}

/** Groups whose first number is above the mean of all groups. */
function aboveAverage({ query: { average }, values: [value] }: Parts): Choice | undefined {
  if (!average || !value) return undefined;
  return { window: `avg(${value.text}) OVER ()`, test: (mean, own) => `${own} ${average} ${mean}` };
}

/** The choice as a clause, for engines that have it. */
export function qualifyClause({ window, test }: Choice, { values: [value] }: Parts): string {
  return `QUALIFY ${test(window, value?.text ?? "")}`;
}
