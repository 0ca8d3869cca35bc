import { type FieldViolation, invalidArgument } from "#status";

/**
 * What the steps of one import found, in the order they found it. Nothing a package says is dropped without an entry here:
 * `warnings` reach the client with the result, `violations` refuse the import as a whole once the step that found them ends.
 */
export interface Findings {
  readonly warnings: string[];
  readonly violations: FieldViolation[];
}

/** An empty collection for one import. */
export function createFindings(): Findings {
  return { warnings: [], violations: [] };
}

/** Throws INVALID_ARGUMENT with every violation found so far, if there is any. */
export function refuseViolations({ violations }: Findings): void {
  if (violations.length > 0) throw invalidArgument(violations);
}
