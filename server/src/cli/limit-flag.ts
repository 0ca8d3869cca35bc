import { CommandError, type CommandInput } from "./command.ts";

/** What `--limit` says, a whole number from 1 to `most` (default: as many as there are); `standard` without it. Throws CommandError. */
export function limitOf(
  { limit }: CommandInput["flags"],
  { standard, most = Number.POSITIVE_INFINITY }: { readonly standard: number; readonly most?: number },
): number {
  if (limit === undefined) return standard;
  const number = Number(limit);
  if (/^\d+$/.test(String(limit)) && number >= 1 && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? "a whole number above 0" : `a number from 1 to ${most}`;
  throw new CommandError(`--limit is '${limit}'; use ${range}.`);
}
