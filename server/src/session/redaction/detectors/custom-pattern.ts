import { RE2JS } from "re2js";
import type { Detector, Finding } from "../contract.ts";

/** What an operator's regular expression matches (RE2: linear in the text). Throws `RE2JSException` for one that is none. */
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
