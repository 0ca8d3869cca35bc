import { CommandError, type CommandInput } from "./command.ts";

/** What `--limit` says, a whole number above 0; `standard` without it. Throws CommandError. */
export function limitOf({ limit }: CommandInput["flags"], { standard }: { readonly standard: number }): number {
  if (limit === undefined) return standard;
  const number = Number(limit);
  if (/^\d+$/.test(String(limit)) && number >= 1) return number;
  throw new CommandError(`--limit is '${limit}'; use a whole number above 0.`);
}

/** Says beside the output that it is not all there is, to who did not say how many to print. */
export function tellOfMore({ limit }: CommandInput["flags"], hasMore: boolean, printed: string): void {
  if (hasMore && limit === undefined)
    process.stderr.write(`These are ${printed}; there are more, which --limit prints.\n`);
}
