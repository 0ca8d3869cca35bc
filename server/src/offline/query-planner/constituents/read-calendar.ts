import type { Token } from "#analytics";
import type { Grain } from "../time/period.ts";
import type { Constituent } from "./constituent.ts";

interface ReadCalendar {
  readonly constituent: Constituent;
  readonly length: number;
}

const WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const WEEKEND = [6, 7];
const WORKING_WEEK = [1, 2, 3, 4, 5];

/** "last weekend", "the first Monday", "two weekends": some of them, and not those of every week. */
const SOME = /^(last|this|next|past|previous|coming|first|second|third|fourth|final|long)$/;

/** "weekends", "on weekdays", "Mondays": days of every week. "Monday" may be the last one, and "by weekday" is a split (CA-80). */
export function readDaysOfWeek(tokens: readonly Token[], at: number): ReadCalendar | undefined {
  const before = tokens[at - 1];
  if (before && (before.kind === "number" || SOME.test(before.stem))) return undefined;
  const own = /^(on|at|during|in)$/.test(tokens[at]?.stem ?? "") ? at + 1 : at;
  const begin = /^(the|a)$/.test(tokens[own]?.stem ?? "") && own > at ? own + 1 : own;
  const [word, next] = [tokens[begin], tokens[begin + 1]];
  const text = word?.text.toLowerCase() ?? "";
  const length = begin + 1 - at;
  if (word?.stem === "weekend" && next?.stem !== "of")
    return { constituent: { kind: "days", days: WEEKEND }, length: next?.stem === "day" ? length + 1 : length };
  if (begin > at && /^(weekdays?|workdays?)$/.test(text))
    return { constituent: { kind: "days", days: WORKING_WEEK }, length };
  if (
    begin > at &&
    tokens[at]?.stem !== "in" &&
    /^(working|business|week)$/.test(text) &&
    next?.text.toLowerCase() === "days"
  )
    return { constituent: { kind: "days", days: WORKING_WEEK }, length: length + 1 };
  const day = WEEK.indexOf(text.replace(/s$/, "")) + 1;
  return day > 0 && text.endsWith("s") ? { constituent: { kind: "days", days: [day] }, length } : undefined;
}

const GRAINS: ReadonlyMap<string, Grain> = new Map(
  (["day", "week", "month", "quarter", "year"] as const).map((grain) => [grain, grain]),
);
const MOVING = /^(moving|rolling|trailing)$/;
const MEAN = /^(average|mean|avg)$/;
/** Units that a mean moves over. */
const MOST_UNITS = 400;

/** "3-month moving average of", "rolling 7 day average" (CA-81). */
export function readMoving(tokens: readonly Token[], at: number): ReadCalendar | undefined {
  const stems = tokens.slice(at, at + 5).map(({ stem }) => stem);
  const begin = MOVING.test(stems[0] ?? "") ? 1 : 0;
  const [count, grain] = [tokens[at + begin]?.value, GRAINS.get(stems[begin + 1] ?? "")];
  const mean = begin === 1 ? 3 : MOVING.test(stems[2] ?? "") ? 3 : -1;
  if (!count || !grain || !Number.isInteger(count) || count < 2 || count > MOST_UNITS || !MEAN.test(stems[mean] ?? ""))
    return undefined;
  return { constituent: { kind: "moving", count, grain }, length: mean + 1 };
}

/** "moving average of orders over 3 months" as "3 month moving average of orders"; "over the last 3 months" is a time. */
export function withMovingWindow(tokens: readonly Token[]): readonly Token[] {
  const moving = tokens.findIndex(({ stem }, at) => MOVING.test(stem) && MEAN.test(tokens[at + 1]?.stem ?? ""));
  if (moving < 0 || (tokens[moving - 2]?.kind === "number" && GRAINS.has(tokens[moving - 1]?.stem ?? "")))
    return tokens;
  const over = tokens.findIndex(
    ({ stem }, at) =>
      at > moving &&
      /^(over|across)$/.test(stem) &&
      tokens[at + 1]?.kind === "number" &&
      GRAINS.has(tokens[at + 2]?.stem ?? ""),
  );
  if (over < 0) return tokens;
  const rest = tokens.filter((_, at) => at < over || at > over + 2);
  return rest.toSpliced(moving, 0, ...tokens.slice(over + 1, over + 3));
}
