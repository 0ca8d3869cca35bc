import type { Detector, Finding } from "../contract.ts";
import { passesLuhn } from "./check-digits.ts";

/** Thirteen digits and more, each group apart by one space or dash at most. */
const RUN = /(?<![\p{L}\d])\d+(?:[ -]\d+)*(?!\p{L})/gu;

/** First digits that card schemes use: American Express, Diners, JCB, Visa, Mastercard, Maestro, Discover, UnionPay, Mir. */
const SCHEME = /^(?:3[04-9]|4|5|6|2[2-7])/;

/**
 * Payment card numbers: 13 to 19 digits of a scheme whose check digit is right. Other digits may follow or precede in groups of
 * their own, as when a card is given with its expiry date.
 */
export const paymentCard: Detector = {
  infoType: "CREDIT_CARD_NUMBER",
  find: (text) =>
    [...text.matchAll(RUN)].flatMap(({ 0: run, index }) =>
      cardsIn(run).map(([from, to]): Finding => [index + from, index + to]),
    ),
};

/** Cards within a run of groups, each the longest that begins with its group. */
function cardsIn(run: string): readonly Finding[] {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    start: index,
    end: index + digits.length,
    digits,
  }));
  const found: Finding[] = [];
  for (let first = 0; first < groups.length; first++) {
    const last = lastOfCard(groups, first);
    if (last === undefined) continue;
    found.push([groups[first]?.start ?? 0, groups[last]?.end ?? run.length]);
    first = last;
  }
  return found;
}

function lastOfCard(groups: readonly { readonly digits: string }[], first: number): number | undefined {
  let digits = "";
  let last: number | undefined;
  for (let at = first; at < groups.length && digits.length < 19; at++) {
    digits += groups[at]?.digits;
    if (isCard(digits)) last = at;
  }
  return last;
}

function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !SCHEME.test(digits)) return false;
  return passesLuhn([...digits].map(Number));
}
