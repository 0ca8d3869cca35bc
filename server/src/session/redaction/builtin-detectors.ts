import type { Detector } from "./contract.ts";
import { email, phone } from "./detectors/contact.ts";
import { dictionary } from "./detectors/dictionary.ts";
import { iban } from "./detectors/iban.ts";
import { nationalIds } from "./detectors/national-ids.ts";
import { customPattern } from "./detectors/pattern.ts";
import { paymentCard } from "./detectors/payment-card.ts";

/** The operator's own kinds of data. Names are capitals, digits and underscores: `CUSTOMER_NUMBER`. */
export interface CustomDetectors {
  readonly patterns?: readonly { readonly name: string; readonly pattern: string }[];
  readonly dictionaries?: readonly { readonly name: string; readonly words: readonly string[] }[];
}

/** All detectors: the operator's kinds come first, telephone numbers last, because they are the least certain. */
export function withDetectors({ patterns = [], dictionaries = [] }: CustomDetectors): readonly Detector[] {
  return [
    ...patterns.map(({ name, pattern }) => customPattern(name, pattern)),
    ...dictionaries.map(({ name, words }) => dictionary(name, words)),
    iban,
    ...nationalIds,
    paymentCard,
    email,
    phone,
  ];
}

/** A text with each finding replaced by its kind in brackets. */
export function redactText(text: string, detectors: readonly Detector[]): string {
  return detectors.reduce(replaceFindings, text);
}

function replaceFindings(text: string, { infoType, find }: Detector): string {
  let result = "";
  let done = 0;
  for (const [start, end] of find(text)) {
    result += `${text.slice(done, start)}[${infoType}]`;
    done = end;
  }
  return done === 0 ? text : result + text.slice(done);
}
