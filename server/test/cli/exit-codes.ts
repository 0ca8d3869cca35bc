import { type Command, exitCodesOf } from "../../src/cli/command.ts";

/** A row of the table of exit codes: what a code says, and for which commands. */
interface ExitCode {
  readonly code: number;
  readonly meaning: string;
  /** Names of the commands; undefined: all others. */
  readonly commands: readonly string[] | undefined;
}

/** The exit codes of all commands: those that all have are first and last. */
export function exitCodes(commands: readonly Command[]): readonly ExitCode[] {
  const usual: readonly ExitCode[] = [
    { code: 0, meaning: "done", commands: undefined },
    { code: 1, meaning: "refused or failed", commands: undefined },
  ];
  const found = new Map<string, { readonly code: number; readonly meaning: string; readonly commands: string[] }>();
  for (const command of commands)
    for (const [text, meaning] of Object.entries(exitCodesOf(command))) {
      const code = Number(text);
      if (usual.some((one) => one.code === code && one.meaning === meaning)) continue;
      const row = found.get(`${code} ${meaning}`) ?? { code, meaning, commands: [] };
      row.commands.push(command.name);
      found.set(`${code} ${meaning}`, row);
    }
  const closed: ExitCode = {
    code: 141,
    meaning: "nobody reads the output any more, as in `… | head`",
    commands: undefined,
  };
  return [...usual, ...[...found.values()].sort((one, other) => one.code - other.code), closed];
}
