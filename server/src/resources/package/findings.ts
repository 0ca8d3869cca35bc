import { type FieldViolation, invalidArgument } from "#status";

/**
 * The findings of one import, in order. Everything in a package that is ignored or changed has an entry here: `warnings` are returned with
 * the result; `violations` fail the import as a whole at the end of the step that found them.
 */
export interface Findings {
  readonly warnings: string[];
  readonly violations: FieldViolation[];
}

/** Findings of a new import. */
export function createFindings(): Findings {
  return { warnings: [], violations: [] };
}

/** Throws INVALID_ARGUMENT with all violations so far, if there are any. */
export function throwViolations({ violations }: Findings): void {
  if (violations.length > 0) throw invalidArgument(violations);
}
