import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";

/** What an error says of single fields: sentences by path (`logging_settings.retention_window`, `tools[0]`). */
export type FieldErrors = ReadonlyMap<string, string>;

/** No field was refused. */
export const NO_ERRORS: FieldErrors = new Map();

/**
 * The fields that an error names, as paths within the resource.
 *
 * @param prefix the field of the request that holds the resource, e.g. `agent`
 */
export function fieldErrors(error: unknown, prefix: string): FieldErrors {
  const violations = ConnectError.from(error)
    .findDetails(BadRequestSchema)
    .flatMap(({ fieldViolations }) => fieldViolations);
  const told = new Map<string, string>();
  for (const { field, description } of violations) {
    const path = field.startsWith(`${prefix}.`) ? field.slice(prefix.length + 1) : field;
    told.set(path, [told.get(path), description].filter(Boolean).join(" "));
  }
  return told;
}

/** What is said of a field itself, or of something below it that has no field of its own on screen. */
export function errorAt(errors: FieldErrors, path: string): string | undefined {
  return errors.get(path);
}

/** Whether something at or below a path was refused. */
export function hasErrorBelow(errors: FieldErrors, path: string): boolean {
  return [...errors.keys()].some((key) => key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`));
}
