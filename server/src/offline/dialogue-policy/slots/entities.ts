/** The kinds of entities. */
export type EntityKind = "email" | "date" | "phone" | "quoted" | "identifier" | "number";

/** An entity in a text: `value` is normalised for tools, `text` is as written, `start` its offset. */
export interface Entity {
  readonly kind: EntityKind;
  readonly value: string;
  readonly text: string;
  readonly start: number;
}

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";

/** In order: a later pattern does not see what an earlier one matched. */
const PATTERNS: readonly (readonly [EntityKind, RegExp])[] = [
  [
    "quoted",
    /"([^"\n]{1,200})"|“([^”\n]{1,200})”|«([^»\n]{1,200})»|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu,
  ],
  ["email", /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu],
  ["date", /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/gu],
  [
    "date",
    new RegExp(
      `\\b(?:${MONTHS})\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTHS})(?:,? \\d{4})?\\b`,
      "giu",
    ),
  ],
  ["date", /\b(?:today|tomorrow|yesterday|(?:next |this |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/giu],
  ["phone", /(?<![\p{L}\p{N}-])\+?\d(?:[\s().-]{0,2}\d){6,14}(?![\p{L}\p{N}-])/gu],
  [
    "identifier",
    /(?<![\p{L}\p{N}])#?(?=[\p{L}\p{N}/_-]{0,64}\p{L})(?=[\p{L}/_-]{0,64}\d)[\p{L}\p{N}]+(?:[-_/][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu,
  ],
  ["identifier", /(?<![\p{L}\p{N}])(?!I )\p{Lu} \d{3,}(?![\p{L}\p{N}])/gu],
  ["identifier", /(?<![\p{L}\p{N}])#\d+(?![\p{L}\p{N}])/gu],
  ["number", /(?<![\p{L}\p{N}.-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}])/gu],
  [
    "number",
    /(?<!\b(?:the|this|that|which|another|other|new|last|first|\d(?:st|nd|rd|th)) )\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen)\b/giu,
  ],
];

const NUMBER_WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** Entities are searched at the beginning of a text only: the patterns' worst case grows with the square of its length. */
const SEARCHED_CHARACTERS = 2000;

/** All entities of a text in order. Ordinals (`2nd`) and clock times (`5pm`) are no identifiers. */
export function findEntities(text: string): readonly Entity[] {
  const found: Entity[] = [];
  let rest = text.slice(0, SEARCHED_CHARACTERS);
  for (const [kind, pattern] of PATTERNS) {
    for (const match of rest.matchAll(pattern)) {
      if (kind === "identifier" && /^#?\d+(?:st|nd|rd|th|am|pm|h|x)$/i.test(match[0])) continue;
      const written = match.slice(1).find((group) => group !== undefined) ?? match[0];
      found.push({ kind, value: normalised(kind, written), text: match[0], start: match.index });
      rest = rest.slice(0, match.index) + " ".repeat(match[0].length) + rest.slice(match.index + match[0].length);
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

function normalised(kind: EntityKind, written: string): string {
  if (kind === "identifier") return written.replace(/^#/, "");
  if (kind !== "number") return written;
  const word = NUMBER_WORDS.indexOf(written.toLowerCase());
  if (/dozen/i.test(written)) return "12";
  return word >= 0 ? String(word) : written.replaceAll(",", "");
}
