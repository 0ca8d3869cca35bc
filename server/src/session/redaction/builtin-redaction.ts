import type { Detector, Redaction } from "./contract.ts";
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

/**
 * Redaction by built-in detectors, the same for every app: templates of Cloud DLP that an app names are ignored (the app's
 * `validation_errors` say so). The operator's kinds come first, telephone numbers last, because they are the least certain.
 */
export function createBuiltinRedaction({ patterns = [], dictionaries = [] }: CustomDetectors = {}): Redaction {
  const detectors: readonly Detector[] = [
    ...patterns.map(({ name, pattern }) => customPattern(name, pattern)),
    ...dictionaries.map(({ name, words }) => dictionary(name, words)),
    iban,
    ...nationalIds,
    paymentCard,
    email,
    phone,
  ];
  const redactor = {
    redact: async (texts: readonly string[]) => texts.map((text) => detectors.reduce(replaceFindings, text)),
  };
  return { redactorFor: () => redactor };
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
