import type { Findings } from "../findings.ts";
import type { LeftOut } from "./parsed-package.ts";

/** Reports a resource that is not imported, in the words of the hosted product, one warning for each reason. */
export function leaveOut(leftOut: LeftOut, findings: Findings): LeftOut {
  const subject = `${leftOut.kind.label} '${leftOut.displayNames[0]}' was removed due to import error`;
  findings.warnings.push(...leftOut.reasons.map((reason) => `${subject}: ${reason}.`));
  return leftOut;
}
