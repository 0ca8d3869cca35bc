/**
 * A text in the forms in which banned content is looked for in it (GUARD-8). Words are found however they are written: composed or not, and
 * in compatible characters (full-width, mathematical), between invisible ones, or against the direction of the line. A text that
 * has none of these has one form.
 */
export function comparableForms(text: string, withoutDiacritics: boolean): readonly string[] {
  if (IS_ASCII.test(text)) return [text];
  const plain = withoutDiacritics ? withoutMarks(text) : text.normalize("NFC");
  const folded = text.replace(IGNORABLE, "").normalize("NFKC");
  const bare = withoutDiacritics ? withoutMarks(folded) : folded;
  return bare === plain ? [plain] : [plain, bare];
}

/** An expression as it is written, without marks where they do not count: folded, it might mean something else. */
export function comparableExpression(expression: string, withoutDiacritics: boolean): string {
  return withoutDiacritics ? withoutMarks(expression) : expression.normalize("NFC");
}

/** Without case: `ß` as `ss`, and sigma alike at the end of a word and within it. */
export function withoutCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3");
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** What is not seen: zero-width characters, soft hyphens, marks of direction, variation selectors. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Accents, and the points of Hebrew and Arabic. The vowel signs of Indic scripts are marks to Unicode too, and the voicing of kana, but they are
 * letters to those who read them.
 */
const MARKS = /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Greek}]]--[\u3099\u309a]]/gv;

function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").normalize("NFC");
}
