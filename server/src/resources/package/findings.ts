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

/** Faults and warnings that one import tells, at most (PKG-32). */
const MAX_FAULTS = 1_000;

/** The warnings of an import, each once. */
export function warningsOf({ warnings }: Findings, others: readonly string[]): string[] {
  const distinct = [...new Set([...warnings, ...others])];
  if (distinct.length <= MAX_FAULTS) return distinct;
  return [...distinct.slice(0, MAX_FAULTS), `The package has ${distinct.length - MAX_FAULTS} more warnings.`];
}

/** Throws INVALID_ARGUMENT with all faults so far, if any of them fails the import. */
export function throwViolations({ violations, omissions }: Findings): void {
  if (violations.length === 0) return;
  const faults = [...violations, ...omissions];
  const more = { field: "app_content", description: `The package has ${faults.length - MAX_FAULTS} more faults.` };
  throw invalidArgument(faults.length > MAX_FAULTS ? [...faults.slice(0, MAX_FAULTS), more] : faults);
}
