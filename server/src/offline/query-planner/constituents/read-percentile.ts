import type { Token } from "#analytics";
import type { Constituent } from "./constituent.ts";

const QUARTILES: Readonly<Record<string, number>> = { first: 25, lower: 25, third: 75, upper: 75 };

/** "90th percentile of", "p95", "upper quartile" (CA-95). */
export function readPercentile(
  tokens: readonly Token[],
  at: number,
): { readonly constituent: Constituent; readonly length: number } | undefined {
  const [first, second] = [tokens[at]?.text.toLowerCase() || (tokens[at]?.stem ?? ""), tokens[at + 1]?.stem ?? ""];
  const short = /^p(\d{1,2})$/.exec(first)?.[1];
  const long = second === "percentile" ? /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(first)?.[1] : undefined;
  const quarter = second === "quartile" ? QUARTILES[first] : undefined;
  const percent = Number(short ?? long ?? quarter ?? 0);
  if (percent < 1) return undefined;
  const named = short === undefined ? 2 : 1;
  const length = named + (tokens[at + named]?.stem === "of" ? 1 : 0);
  return { constituent: { kind: "aggregate", fn: percent === 50 ? "median" : `p${percent}` }, length };
}
