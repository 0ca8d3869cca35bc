import { type FieldViolation, invalidArgument } from "#status";

/**
 * The findings of one import, in order. Everything in a package that is ignored or changed has an entry here: `warnings` are returned with
 * the result; `violations` fail the import as a whole at the end of the step that found them.
 */
export interface Findings {
  readonly warnings: string[];
  readonly violations: FieldViolation[];
  /** Why resources are left out. They do not fail the import, and are told with the violations when those do. */
  readonly omissions: FieldViolation[];
}

/** Findings of a new import. */
export function createFindings(): Findings {
  return { warnings: [], violations: [], omissions: [] };
}

/** Throws INVALID_ARGUMENT with all faults so far, if any of them fails the import. */
export function throwViolations({ violations, omissions }: Findings): void {
  if (violations.length > 0) throw invalidArgument([...violations, ...omissions]);
}
