import { bestOfEach } from "./choice.ts";
import type { Parts } from "./parts.ts";

/** Most rows of an answer without a number of its own. */
export const MOST_ROWS = 1000;

/** By rank, else in the order of time or of the week, else the largest first. */
export function orderOf(parts: Parts): readonly string[] {
  const { query, groups, values, words } = parts;
  const [value] = values;
  const texts = groups.map(({ text }) => text);
  if (query.top && value) {
    const within = bestOfEach(parts) ? texts.slice(1) : [];
    return [
      ...within,
      query.top.direction === "most" ? words.descending(value.text) : `${value.text} ASC`,
      ...texts.slice(0, 1),
    ];
  }
  const time = groups.find((group) => group.time);
  if (time) return [time.text, ...texts.filter((text) => text !== time.text)];
  const part = groups.find(({ order }) => order !== undefined);
  if (part?.order) return [part.order, ...groups.filter((group) => group !== part).map(({ text }) => text)];
  return value ? [words.descending(value.text), ...texts] : texts;
}

/** As many as the ranking has; a ranking within other groups has chosen already. */
export function limitOf(parts: Parts): readonly string[] {
  const { top } = parts.query;
  if (top && !bestOfEach(parts)) return [`LIMIT ${top.count ?? 1}`];
  return top ? [] : [`LIMIT ${MOST_ROWS}`];
}
