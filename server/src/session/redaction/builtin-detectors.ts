import type { Detector } from "./contract.ts";
import { customPattern } from "./detectors/custom-pattern.ts";
import { dictionary } from "./detectors/dictionary.ts";
import { PERSONAL_DATA } from "./detectors/personal-data.ts";

/** The operator's own kinds of data. Names are capitals, digits and underscores: `CUSTOMER_NUMBER`. */
export interface CustomDetectors {
  readonly patterns?: readonly { readonly name: string; readonly pattern: string }[];
  readonly dictionaries?: readonly { readonly name: string; readonly words: readonly string[] }[];
}

/** All detectors: the operator's kinds come first. */
export function withDetectors({ patterns = [], dictionaries = [] }: CustomDetectors): readonly Detector[] {
  return [
    ...patterns.map(({ name, pattern }) => customPattern(name, pattern)),
    ...dictionaries.map(({ name, words }) => dictionary(name, words)),
    ...PERSONAL_DATA,
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
