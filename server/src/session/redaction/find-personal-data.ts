import type { Detector } from "./contract.ts";
import { PERSONAL_DATA } from "./detectors/personal-data.ts";

/** A text of a value that seems to have data of a person. */
export interface PersonalData {
  /** Keys and indices from the top of the value. */
  readonly path: readonly (string | number)[];
  /** What was found, in words: `card number`. */
  readonly kinds: readonly string[];
}

/** The texts of a JSON value with data that redaction would remove, but for what is known to be invented (EVAL-110). */
export function* findPersonalData(value: unknown, path: PersonalData["path"] = []): Iterable<PersonalData> {
  if (typeof value === "string" || typeof value === "number") {
    const kinds = kindsIn(String(value));
    if (kinds.length > 0) yield { path, kinds };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findPersonalData(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* findPersonalData(item, [...path, key]);
  }
}

/** Resource names, images and sound have ids and bytes that look like numbers of all kinds. */
const NO_WORDS = /^projects\/\S+$|^\S{300,}$/;

function kindsIn(text: string): readonly string[] {
  if (NO_WORDS.test(text)) return [];
  const kinds = new Set<string>();
  let rest = text;
  for (const detector of PERSONAL_DATA) {
    for (const [start, end] of detector.find(rest)) {
      if (!isInvented(detector, rest.slice(start, end))) kinds.add(kindOf(detector));
      // What is a card number is no telephone number as well.
      rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
    }
  }
  return [...kinds];
}

function kindOf({ infoType }: Detector): string {
  return WORDS[infoType] ?? infoType.toLowerCase().replaceAll("_", " ");
}

const WORDS: Readonly<Record<string, string>> = {
  CREDIT_CARD_NUMBER: "card number",
  EMAIL_ADDRESS: "mail address",
  IBAN_CODE: "bank account",
  PHONE_NUMBER: "phone number",
};

/** Names that are reserved for examples (RFC 2606), North American numbers that are for fiction, and cards that payment services publish for tests. */
function isInvented({ infoType }: Detector, text: string): boolean {
  if (infoType === "EMAIL_ADDRESS")
    return /[@.](?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i.test(text);
  const digits = text.replaceAll(/\D/g, "");
  if (infoType === "PHONE_NUMBER") return /55501\d\d$/.test(digits);
  return infoType === "CREDIT_CARD_NUMBER" && TEST_CARDS.has(digits);
}

const TEST_CARDS: ReadonlySet<string> = new Set([
  "4111111111111111",
  "4012888888881881",
  "4242424242424242",
  "4000056655665556",
  "5555555555554444",
  "5105105105105100",
  "2223003122003222",
  "378282246310005",
  "371449635398431",
  "6011111111111117",
  "6011000990139424",
  "30569309025904",
  "3530111333300000",
  "3566002020360505",
]);
