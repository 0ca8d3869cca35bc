import type { Usage } from "#models";
import type { QuotaConfig, TokenPrice } from "./contract.ts";

const FREE: TokenPrice = { input: 0, output: 0 };

/** What a call cost, US dollars. */
export function costOf(
  label: string,
  { inputTokens = 0, outputTokens = 0 }: Usage,
  prices: QuotaConfig["prices"],
): number {
  const { input, output } = priceOf(label, prices);
  return (inputTokens * input + outputTokens * output) / 1_000_000;
}

/** The price of a model by its label; nothing for a model that no pattern fits. */
function priceOf(label: string, prices: QuotaConfig["prices"]): TokenPrice {
  const found = Object.entries(prices).find(([pattern]) => fits(label, pattern));
  return found?.[1] ?? FREE;
}

/** `*` stands for any text. Compared piece by piece, so that no pattern takes long. */
function fits(label: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return label === pattern;
  const last = rest.pop() ?? "";
  if (!label.startsWith(first) || !label.endsWith(last) || label.length < first.length + last.length) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = label.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return position <= label.length - last.length;
}
