// Commands that need the code of the server (`#app`) load it when they run, so that chat, ask and help start at once.
import "./native-base64.ts";
import "./node-22.ts";
import { readFileSync } from "node:fs";
import { CommandError, didYouMean, helpFor, parseCommandLine } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { fileErrorText } from "./file-error.ts";
import { endWhenOutputFails } from "./output/closed-output.ts";
import { say } from "./output/say.ts";
import { overview } from "./overview.ts";

const HELP_FLAGS: ReadonlySet<string> = new Set(["--help", "-h"]);
/** What asks for help in place of a command. */
const HELP: ReadonlySet<string> = new Set(["help", ...HELP_FLAGS]);

endWhenOutputFails(() => COMMANDS.find(({ name }) => name === process.argv[2])?.failureExitCode ?? 1);

/** Runs the command line that these arguments are; the exit code. */
export async function runCommandLine([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v" || name === "version") return print(packageVersion());
  const isHelp = name === undefined || HELP.has(name);
  const wanted = isHelp ? args[0] : name;
  if (wanted === undefined) return print(overview());
  const command = COMMANDS.find((candidate) => candidate.name === wanted);
  if (!command) return printError(notACommand(wanted));
  if (isHelp || args.some((arg) => HELP_FLAGS.has(arg))) return print(helpFor(command));
  try {
    return await command.run(parseCommandLine(command, args));
  } catch (error) {
    const message = error instanceof CommandError ? error.message : fileErrorText(error);
    if (message !== undefined) return printError(message, command.failureExitCode);
    if (command.failureExitCode === undefined) throw error;
    return printError((error as Error).stack ?? String(error), command.failureExitCode);
  }
}

function notACommand(wanted: string): string {
  const names = [...COMMANDS.map(({ name }) => name), "--version", "--help"];
  const meant = didYouMean(wanted, names, "frontdesk ");
  if (wanted.startsWith("-") && meant === "") return `flags come after the command: frontdesk <command> ${wanted} …`;
  return `'${wanted}' is not a command.${meant || `\n\n${overview()}`}`;
}

/** Read here, because `#app` would load the whole server. */
function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function printError(text: string, exitCode = 1): number {
  say(`frontdesk: ${text}\n`, process.stderr);
  return exitCode;
}
