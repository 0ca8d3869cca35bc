import type { Constituent } from "../constituents/constituent.ts";
import type { SemanticParse } from "./semantic-parse.ts";

/** "deaths by country", "top 3 airports": without what is grouped or ranked the answer is another question's. */
export function applyUnknown(
  { unknown, asides, refusals, constituents }: SemanticParse,
  text: string,
  at: number,
): void {
  const before = constituents[at - 1]?.kind;
  if (/^sort(ed)? by /i.test(text) || (before !== "group" && before !== "top" && introducesValue(constituents, at))) {
    asides.values.push(text);
    return;
  }
  if (constituents[at + 1]?.kind === "period") asides.times.push(text);
  unknown.push(text);
  if (before === "group") refusals.push(`I know no “${text}” to group by.`);
  if (before === "top") refusals.push(`I know no “${text}” to rank.`);
}

/** "comedies rated R", "admissions with diagnosis I21": what a value is called; "late express shipments" has two adjectives. */
function introducesValue(constituents: readonly Constituent[], at: number): boolean {
  const [value, next] = constituents.slice(at + 1, at + 3);
  const own = constituents[at];
  // "more customers than France" compares.
  if (own?.kind === "unknown" && /\bthan\b/i.test(own.text)) return false;
  if (value?.kind !== "ref" || !value.meanings.every(({ kind }) => kind === "value")) return false;
  if (!constituents.slice(0, at).some(({ kind }) => kind === "ref")) return false;
  return next?.kind !== "ref" || next.meanings.every(({ kind }) => kind === "value");
}
