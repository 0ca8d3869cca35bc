import { RE2JS } from "re2js";
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

/** A detector for the operator's regular expression (RE2 syntax, linear time). Throws `RE2JSException` when it does not parse. */
export function customPattern(infoType: string, source: string): Detector {
  const pattern = RE2JS.compile(source);
  return {
    infoType,
    find(text) {
      const found: Finding[] = [];
      const matcher = pattern.matcher(text);
      while (matcher.find()) if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      return found;
    },
  };
}
