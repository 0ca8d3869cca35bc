import type { Detector, Redaction } from "./contract.ts";
import { customPattern } from "./detectors/custom-pattern.ts";
import { dictionary } from "./detectors/dictionary.ts";
import { email } from "./detectors/email.ts";
import { iban } from "./detectors/iban.ts";
import { nationalIds } from "./detectors/national-ids.ts";
import { paymentCard } from "./detectors/payment-card.ts";
import { phone } from "./detectors/phone.ts";

/** What an operator wants found beside the built-in kinds. Names are capitals, digits and underscores: `CUSTOMER_NUMBER`. */
export interface CustomDetectors {
  readonly patterns?: readonly { readonly name: string; readonly pattern: string }[];
  readonly dictionaries?: readonly { readonly name: string; readonly words: readonly string[] }[];
}

/**
 * Redaction on this machine, the same for every app: templates that an app names belong to Cloud DLP and are not looked at (the
 * app's `validation_errors` say so). The operator's kinds come first; telephone numbers last, since they are the least certain.
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
    redact: async (texts: readonly string[]) => texts.map((text) => detectors.reduce(replaced, text)),
  };
  return { redactorFor: () => redactor };
}

function replaced(text: string, { infoType, find }: Detector): string {
  let result = "";
  let done = 0;
  for (const [start, end] of find(text)) {
    result += `${text.slice(done, start)}[${infoType}]`;
    done = end;
  }
  return done === 0 ? text : result + text.slice(done);
}
