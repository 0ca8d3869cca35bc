import { byPattern, digitsOf } from "./pattern.ts";

/** E-mail addresses, in any script, with a domain of at least two labels. */
export const email = byPattern(
  "EMAIL_ADDRESS",
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,63}/gu,
);

const INTERNATIONAL = String.raw`(?<![\w+])(?:\+|00(?=[1-9]))\d(?:[ ().\/-]{0,2}\d){6,14}`;
const NORTH_AMERICAN = String.raw`(?<![\w.-])(?:1[ .-]?)?(?:\([2-9]\d{2}\)|[2-9]\d{2})[ .-]?[2-9]\d{2}[ .-]?\d{4}`;
const WITH_TRUNK_ZERO = String.raw`(?<![\w.,-])\(?0[1-9](?:[ ()\/-]{0,2}\d){7,10}`;
const DATE = /^\d{1,2}[-/]\d{1,2}[-/]\d{2,4}/;

/**
 * Telephone numbers: with a country code after `+` or `00`; ten digits as North America writes them, with or without separators;
 * nine to twelve digits after a trunk zero, as most others do. A date is none.
 */
export const phone = byPattern(
  "PHONE_NUMBER",
  new RegExp(`(?:${INTERNATIONAL}|${NORTH_AMERICAN}|${WITH_TRUNK_ZERO})(?![\\w])(?!-\\d)`, "g"),
  (match) => digitsOf(match).length >= 8 && !DATE.test(match),
);
