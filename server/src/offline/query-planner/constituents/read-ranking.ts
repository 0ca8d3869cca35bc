import type { Token } from "#analytics";
import type { Read } from "./constituent.ts";
import { keywordAt } from "./keywords.ts";

/** "top 5", "5 best", "first 10", and plain "top". */
export function readTop(tokens: readonly Token[], at: number): Read | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (!first || !second) return undefined;
  const count = first.kind === "number" ? first.value : second.kind === "number" ? second.value : undefined;
  if (count === undefined || count < 1 || count > 1000) return undefined;
  const word = first.kind === "number" ? second.stem : first.stem;
  // The "first 10 days" are the earliest, and nothing says that they are the best.
  const unit = tokens[at + 2];
  if (word === "first" && unit && UNIT.test(unit.stem))
    return { constituent: { kind: "unknown", text: `${first.text} ${second.text} ${unit.text}` }, length: 3 };
  const spoken = word === "first" ? { constituent: { kind: "top", direction: "most" } as const } : keywordAt([word]);
  if (spoken?.constituent.kind !== "top") return undefined;
  const part = tokens.slice(at, unit?.stem === "percent" ? at + 3 : at + 2).map(({ text }) => text);
  if (part.length === 3 || part.some((text) => text.endsWith("%")))
    return { constituent: { kind: "unknown", text: part.join(" ") }, length: part.length };
  return { constituent: { ...spoken.constituent, count }, length: 2 };
}

const UNIT = /^(minute|hour|day|week|month|quarter|year)$/;
const NEWEST = /^(?:(?:last|latest|newest|most recent) (\d+)|(\d+) (?:latest|newest|most recent))(?: |$)/;

/** "last 5 orders", "10 most recent orders"; "last 5 months" is a time. */
export function readLatest(tokens: readonly Token[], at: number): Read | undefined {
  const words = tokens
    .slice(at, at + 4)
    .map(({ stem, value }) => (value === undefined ? stem : String(value)))
    .join(" ");
  const [found = "", after, before] = NEWEST.exec(words) ?? [];
  const length = found.trim().split(" ").length;
  if (found === "" || UNIT.test(tokens[at + length]?.stem ?? "")) return undefined;
  return { constituent: { kind: "latest", count: Number(after ?? before) }, length };
}
