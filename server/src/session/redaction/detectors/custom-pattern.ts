import { RE2JS } from "re2js";
import type { Detector, Finding } from "../contract.ts";

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
