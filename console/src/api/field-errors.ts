import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";

/** Field violations of an error: descriptions by path (`logging_settings.retention_window`, `tools[0]`). */
export type FieldErrors = ReadonlyMap<string, string>;

/** No field has an error. */
export const NO_ERRORS: FieldErrors = new Map();

/**
 * The fields that an error names, as paths within the resource.
 *
 * @param prefix the field of the request that contains the resource, e.g. `agent`
 */
export function fieldErrors(error: unknown, prefix: string): FieldErrors {
  const violations = ConnectError.from(error)
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations);
  const errors = new Map<string, string>();
  for (const { field, description } of violations) {
    const path = field.startsWith(`${prefix}.`) ? field.slice(prefix.length + 1) : field;
    errors.set(path, [errors.get(path), description].filter(Boolean).join(" "));
  }
  return errors;
}

/** The violations of a field. */
export function errorAt(errors: FieldErrors, path: string): string | undefined {
  return errors.get(path);
}

/** Whether there is an error at or below a path. */
export function hasErrorBelow(errors: FieldErrors, path: string): boolean {
  return [...errors.keys()].some((key) => key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`));
}
