import type { Token } from "#analytics";
import { isMonth } from "./month-name.ts";
import { type FoundPeriod, readNamed } from "./named-period.ts";
import { add, type Grain, isoDay, type Period } from "./period.ts";

/** since, before, after, until, from … to …, between … and … around named periods. */
export function readBounds(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const word = tokens[at]?.stem ?? "";
  const first = readNamed(tokens, at + 1, now);
  if (!first) return undefined;
  const length = 1 + first.length;
  const { from, to } = first.period;
  const named = first.period.label.replace(/^(in|on) /, "");
  if (word === "since" && from) return { period: { from, label: `since ${named}` }, length };
  if ((word === "before" || word === "until") && from)
    return { period: { to: from, label: `before ${named}` }, length };
  if (word === "after" && to) return { period: { from: to, label: `after ${named}` }, length };
  if (word === "between" || word === "from") return readRange(tokens, at, now, first);
  return undefined;
}

/** "2026-06-01 to 2026-06-07", "March until May 2026": a range without "from". */
export function readFromTo(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  const first = readNamed(tokens, at, now);
  if (!first || !["to", "until", "till", "through"].includes(tokens[at + first.length]?.stem ?? "")) return undefined;
  const range = readRange(tokens, at - 1, now, first);
  return range && { period: range.period, length: range.length - 1 };
}

function readRange(tokens: readonly Token[], at: number, now: Date, first: FoundPeriod): FoundPeriod | undefined {
  const joint = at + 1 + first.length;
  if (!["and", "to", "until", "till", "through"].includes(tokens[joint]?.stem ?? "")) return undefined;
  const second = readNamed(tokens, joint + 1, now);
  if (!second?.period.to) return undefined;
  const start = sameYear(tokens, at + 1, first, second);
  const grain = grainOf(start);
  const label = `from ${start.label.replace(/^(in|on) /, "")} to ${second.period.label.replace(/^(in|on) /, "")}`;
  return {
    period: { ...(start.from && { from: start.from }), to: second.period.to, label, ...(grain && { grain }) },
    length: joint + 1 + second.length - at,
  };
}

/** "between May and July 2025": the year stands with the second month only. */
function sameYear(tokens: readonly Token[], at: number, first: FoundPeriod, second: FoundPeriod): Period {
  if (first.length > 1 || !isMonth(tokens[at]) || !first.period.from || !second.period.from) return first.period;
  const [year] = second.period.from.split("-");
  return {
    ...first.period,
    from: `${year}${first.period.from.slice(4)}`,
    label: first.period.label.replace(/\d{4}$/, year ?? ""),
  };
}

/** The unit of the calendar that a named period fills. */
function grainOf({ from, to }: Period): Grain | undefined {
  if (!from || !to) return undefined;
  const grains = ["year", "quarter", "month", "day"] as const;
  return grains.find((grain) => isoDay(add(new Date(from), 1, grain)) === to);
}
