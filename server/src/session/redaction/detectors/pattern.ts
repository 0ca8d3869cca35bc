import type { Detector, Finding } from "../contract.ts";

/** A detector for the matches of a pattern that pass an optional check. The pattern is global, and its repetitions are bounded. */
export function byPattern(
  infoType: string,
  pattern: RegExp,
  accepts: (match: string) => boolean = () => true,
): Detector {
  return {
    infoType,
    find: (text) =>
      [...text.matchAll(pattern)].flatMap((match): Finding[] =>
        accepts(match[0]) ? [[match.index, match.index + match[0].length]] : [],
      ),
  };
}

/** The digits of a text, in order. */
export function digitsOf(text: string): number[] {
  return [...text].flatMap((character) => (character >= "0" && character <= "9" ? [Number(character)] : []));
}
