import type { CommandInput } from "../command.ts";

/** The value of a flag that takes one; undefined when it was not given. */
export function textFlag(value: CommandInput["flags"][string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}
