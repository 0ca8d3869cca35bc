import type { Detector, Finding } from "../contract.ts";
import { mod97 } from "./check-digits.ts";

/** Length by country, from the registry of ISO 13616. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ DZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
  }).flatMap(([length, countries]) =>
    countries.split(" ").map((country): [string, number] => [country, Number(length)]),
  ),
);

const START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu;

/** International bank account numbers: as long as their country has them, with both check digits right. Spaces and dashes may part them. */
export const iban: Detector = {
  infoType: "IBAN_CODE",
  find: (text) =>
    [...text.matchAll(START)].flatMap(({ 0: start, index }): Finding[] => {
      const length = LENGTHS.get(start.slice(0, 2).toUpperCase());
      const end = length === undefined ? undefined : endOf(text, index, length);
      return end === undefined ? [] : [[index, end]];
    }),
};

function endOf(text: string, start: number, length: number): number | undefined {
  let account = "";
  let at = start;
  for (; account.length < length; at++) {
    const character = text.charAt(at);
    if (/[A-Z0-9]/i.test(character)) account += character.toUpperCase();
    else if (!/[ -]/.test(character) || !/[A-Z0-9]/i.test(text.charAt(at - 1))) return undefined;
  }
  if (/[\p{L}\p{N}]/u.test(text.charAt(at))) return undefined;
  return isValid(account) ? at : undefined;
}

/** Country and check digits go to the end, letters count from 10, and the remainder by 97 is one. */
function isValid(account: string): boolean {
  const digits = [...account.slice(4), ...account.slice(0, 4)].map((character) => Number.parseInt(character, 36));
  return mod97(digits.join("")) === 1;
}
