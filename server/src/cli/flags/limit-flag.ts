import { CommandError, type CommandInput } from "../command.ts";

/** What `--limit` says, a whole number above 0; `standard` without it. Throws CommandError. */
export function limitOf(flags: CommandInput["flags"], { standard }: { readonly standard: number }): number {
  return wholeNumberOf(flags, "limit") ?? standard;
}

/** What a flag says, a whole number above 0; undefined without it. Throws CommandError. */
export function wholeNumberOf(flags: CommandInput["flags"], flag: string): number | undefined {
  const text = flags[flag];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(String(text)) && number >= 1) return number;
  throw new CommandError(`--${flag} is '${text}'; use a whole number above 0.`);
}

/** Says beside the output that it is not all there is, to who did not say how many to print. */
export function tellOfMore({ limit }: CommandInput["flags"], hasMore: boolean, printed: string): void {
  if (hasMore && limit === undefined)
    process.stderr.write(`These are ${printed}; there are more, which --limit prints.\n`);
}
