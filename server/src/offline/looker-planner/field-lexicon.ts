import type { Explore, ExploreField } from "#warehouse";

/** A word with its stem, and as written. */
export interface Word {
  readonly stem: string;
  readonly written: string;
  readonly quoted: boolean;
}

/** The words of a text; a quoted text is one word. */
export function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/"([^"]+)"|“([^”]+)”|[\p{L}\p{N}_.%$-]+|[<>=!≤≥≠~≈]+/gu)].flatMap(
    ({ 0: all, 1: first, 2: second }) => {
      const quoted = first ?? second;
      const written = quoted ?? all.replace(/^[-.]+|[-.]+$/g, "");
      return written === "" ? [] : [{ stem: stemOf(written), written, quoted: quoted !== undefined }];
    },
  );
}

function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** A phrase that names a field. Labels are exact and win over other names. */
export interface FieldPhrase {
  readonly stems: readonly string[];
  readonly field: ExploreField;
  readonly exact: boolean;
}

/** All phrases for the fields of an explore, longest first. */
export function fieldPhrases({ fields }: Explore): readonly FieldPhrase[] {
  return fields
    .flatMap((field) => [
      ...[field.label, `${field.viewLabel} ${field.label}`].map((text) => phrase(text, field, true)),
      ...otherNames(field).map((text) => phrase(text, field, false)),
    ])
    .filter(({ stems }) => stems.length > 0)
    .toSorted((left, right) => right.stems.length - left.stems.length);
}

function phrase(text: string, field: ExploreField, exact: boolean): FieldPhrase {
  return { stems: wordsOf(text.replaceAll("_", " ")).map(({ stem }) => stem), field, exact };
}

function otherNames(field: ExploreField): readonly string[] {
  return [...ownNames(field), ...(field.synonyms ?? [])];
}

function ownNames(field: ExploreField): readonly string[] {
  const { name, label, viewLabel, category, lookerType } = field;
  const own = name.split(".").at(-1) ?? "";
  if (category === "DIMENSION") {
    const unit = /^date_(date|week|month|quarter|year)$/.exec(lookerType)?.[1];
    return [own, ...(unit ? [unit, ...(unit === "date" ? ["day"] : [])] : [])];
  }
  if (lookerType === "count") return [own, viewLabel, `number of ${viewLabel}`, `count of ${viewLabel}`];
  return lookerType === "sum" ? [own, label.replace(/^total\s+/i, "")] : [own];
}

/** The field at the start of words; several where the words are ambiguous. */
interface FoundField {
  readonly fields: readonly ExploreField[];
  readonly length: number;
}

/** The longest phrase for a field at the start of the words. */
export function fieldAt(words: readonly Word[], phrases: readonly FieldPhrase[]): FoundField | undefined {
  const fitting = phrases.filter(({ stems }) =>
    stems.every((stem, at) => words[at]?.stem === stem && words[at]?.quoted === false),
  );
  const length = fitting[0]?.stems.length ?? 0;
  const longest = fitting.filter(({ stems }) => stems.length === length);
  const exact = longest.filter((one) => one.exact);
  const fields = [...new Set((exact.length > 0 ? exact : longest).map(({ field }) => field))];
  return fields.length > 0 ? { fields, length } : undefined;
}
