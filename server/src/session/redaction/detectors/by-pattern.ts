import type { Detector, Finding } from "../contract.ts";

/** A detector of what a pattern matches and a check, if any, accepts. The pattern is global and bounds its repetitions. */
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
