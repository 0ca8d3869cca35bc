import type { FieldViolation } from "#status";

const ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]{4,35}$/;

/**
 * What is wrong with an id that a client gave to a new resource (AIP-133 user-specified ids; the form is CES's own, ces-runtime
 * 8.5). Only for ids in create requests: imported apps carry ids of other forms, and they are kept.
 */
export function resourceIdViolations(field: string, id: string): readonly FieldViolation[] {
  if (ID.test(id)) return [];
  const description = `'${id}' is not a valid id: use 5 to 36 letters, digits, hyphens or underscores, starting with a letter or digit.`;
  return [{ field, description }];
}
