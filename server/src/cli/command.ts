import { parseArgs } from "node:util";

/** One flag of a command. `value` is the word shown for its value in the help; a flag without one is a switch. */
export interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly summary: string;
}

/** What a command's function gets: the words after its name, and its flags by name. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command as data: help and parsing fall out of it. */
export interface Command {
  readonly name: string;
  /** Words after the name, as the help shows them, e.g. `<folder|zip> [app]`. */
  readonly operands: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Answers the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** Something the person at the terminal got wrong or has to know; shown as one sentence, exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Flags of every command that talks to a server. */
export const SERVER_FLAG: Flag = {
  name: "server",
  value: "url",
  summary: "address of the server (FRONTDESK_SERVER; default http://127.0.0.1:8080)",
};

/** Reads a command line for a command; faults name the flag. */
export function parseCommandLine(command: Command, args: readonly string[]): CommandInput {
  const options = Object.fromEntries(
    command.flags.map((flag) => [flag.name, { type: flag.value ? ("string" as const) : ("boolean" as const) }]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { positionals, flags: values as CommandInput["flags"] };
  } catch (error) {
    throw new CommandError(`${firstSentence(error as Error)}\n\n${helpFor(command)}`);
  }
}

/** Node adds advice about positional arguments that no command of ours needs. */
function firstSentence({ message }: Error): string {
  return `${message.split(". ", 1)[0]?.replace(/\.$/, "")}.`;
}

/** The help text of one command. */
export function helpFor(command: Command): string {
  const lines = command.flags.map(
    (flag) => [`--${flag.name}${flag.value ? ` <${flag.value}>` : ""}`, flag.summary] as const,
  );
  const width = Math.max(0, ...lines.map(([left]) => left.length));
  const flags = lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return [
    `frontdesk ${command.name} ${command.operands}`.trimEnd(),
    `  ${command.summary}`,
    ...(flags.length > 0 ? ["", ...flags] : []),
  ].join("\n");
}
