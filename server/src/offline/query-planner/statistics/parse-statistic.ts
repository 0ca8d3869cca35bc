import type { Statistic } from "./programs.ts";

/** A request for a statistic. */
export interface StatisticRequest {
  readonly statistic: Statistic;
  /** Names of numbers as written: two for a correlation, else one. */
  readonly numbers: readonly string[];
  /** The dimension, as in "by store"; "" for none. */
  readonly grouped: string;
  /** The number of months to forecast. */
  readonly ahead: number;
  /** The word that asks for a forecast, where nothing else does: a column may be called so. */
  readonly said?: string;
}

const NUMBER_WORDS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, six: 6, twelve: 12 };

/** Reads "correlation between X and Y", "standard deviation of X", "outliers in X", "forecast X for the next 3 months", "trend of X". */
export function parseStatisticRequest(question: string): StatisticRequest | undefined {
  const text = question.trim().replace(/[?.!]+$/, "");
  return correlation(text) ?? forecast(text) ?? single(text);
}

function correlation(text: string): StatisticRequest | undefined {
  const found = /\bcorrelat\w*\s+(?:between|of|among)?\s*(.+?)\s+(?:and|with|to)\s+(.+)$/i.exec(text);
  if (!found) return undefined;
  const [second = "", grouped = ""] = splitGroup(found[2] ?? "");
  return { statistic: "correlation", numbers: [found[1] ?? "", second], grouped, ahead: 0 };
}

function forecast(text: string): StatisticRequest | undefined {
  const [said] = /\b(forecast|predict|projection|project|extrapolate)\b/i.exec(text) ?? [];
  if (said === undefined) return undefined;
  const found = /\bnext\s+(\d+|\w+)?\s*months?\b/i.exec(text);
  const count = found?.[1]?.toLowerCase() ?? "";
  const ahead = Math.min(24, Number(count) || NUMBER_WORDS[count] || (found ? 1 : 3));
  const subject = text
    .replace(
      /\b(?:for|in|over|of)?\s*(?:the)?\s*next\s+(?:\d+|\w+)?\s*(?:months?|quarters?|years?|weeks?|days?)\b/i,
      " ",
    )
    .replace(/\b(please|forecast|predict|projection|project|extrapolate|the|of|for|monthly|by month)\b/gi, " ");
  // Other units than months would need other rows.
  if (/\bnext\s+(?:\d+|\w+)?\s*(?:quarters?|years?|weeks?|days?)\b/i.test(text)) return undefined;
  const asked: StatisticRequest = { statistic: "forecast", numbers: [squeeze(subject)], grouped: "by month", ahead };
  return found ? asked : { ...asked, said: said.toLowerCase() };
}

const SINGLE: readonly (readonly [pattern: RegExp, statistic: Statistic])[] = [
  [/\b(?:standard deviation|std\.?\s?dev\.?|variability|spread)\s+(?:of|in|for)\s+(.+)$/i, "deviation"],
  [/\b(?:outliers?|anomal\w+|unusual (?:values?|days?|months?))\s+(?:in|of|for|among)\s+(.+)$/i, "outliers"],
  [/\btrend(?:\s?line)?\s+(?:of|in|for)\s+(.+)$/i, "trend"],
];

function single(text: string): StatisticRequest | undefined {
  for (const [pattern, statistic] of SINGLE) {
    const found = pattern.exec(text)?.[1];
    if (!found) continue;
    const [number = "", grouped = ""] = splitGroup(found);
    return { statistic, numbers: [number], grouped, ahead: 0 };
  }
  return undefined;
}

/** "revenue by store in 2026" is revenue, by store in 2026. */
function splitGroup(text: string): readonly [string, string] {
  const found = /^(.*?)\s+((?:by|per|for each|across|over)\s+.+)$/i.exec(text);
  return found ? [squeeze(found[1] ?? ""), (found[2] ?? "").replace(/^over time$/i, "by month")] : [squeeze(text), ""];
}

function squeeze(text: string): string {
  return text
    .replace(/^\s*the\s+/i, "")
    .replace(/\s+/g, " ")
    .trim();
}
