import { parseArgs } from "node:util";

/** A flag of a command. `value` is the placeholder of its value in the help; without one the flag is boolean. */
interface Flag {
  readonly name: string;
  readonly value?: string;
  readonly summary: string;
}

/** The operands and flags of a command line. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command. Its help and the parsing of its command line are derived from this. */
export interface Command {
  readonly name: string;
  /** Operands as in the help, e.g. `<folder|zip> [app]`. */
  readonly operands: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** The exit code when the command itself fails. Default 1. */
  readonly failureExitCode?: number;
  /** Resolves to the exit code. */
  run(input: CommandInput): Promise<number>;
}

/** An error for the user: its message is printed, and the command has failed. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The flag of all commands that call a server. */
export const SERVER_FLAG: Flag = {
  name: "server",
  value: "url",
  summary: "address of the server (FRONTDESK_SERVER; default http://127.0.0.1:8080)",
};

/** Parses the command line of a command. Throws `CommandError`. */
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

/** Node adds advice about positional arguments that does not apply here. */
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
