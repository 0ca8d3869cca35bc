// Commands that need the code of the server (`#app`) load it when they run, so that chat, ask and help start at once.
import "./native-base64.ts";
import "./node-22.ts";
import { readFileSync } from "node:fs";
import { ask } from "./ask.ts";
import { audit } from "./audit.ts";
import { auth } from "./auth.ts";
import { chat } from "./chat.ts";
import { type Command, CommandError, helpFor, parseCommandLine } from "./command.ts";
import { evaluate } from "./eval.ts";
import { exportApp } from "./export.ts";
import { toolFiles } from "./files.ts";
import { importApp } from "./import.ts";
import { init } from "./init.ts";
import { lint } from "./lint.ts";
import { login, logout } from "./login.ts";
import { mcp } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { move } from "./move.ts";
import { python } from "./python.ts";
import { recordStored } from "./record.ts";
import { replayRecording } from "./replay.ts";
import { resourceCommands } from "./resources/resource-commands.ts";
import { start } from "./start.ts";
import { testPackage } from "./test.ts";

const COMMANDS: readonly Command[] = [
  start,
  chat,
  ask,
  init,
  importApp,
  exportApp,
  lint,
  toolFiles,
  recordStored,
  replayRecording,
  evaluate,
  testPackage,
  python,
  mcp,
  auth,
  login,
  logout,
  audit,
  migrate,
  move,
  ...resourceCommands,
];

const HELP_FLAGS: ReadonlySet<string> = new Set(["--help", "-h"]);
/** What asks for help in place of a command. */
const HELP: ReadonlySet<string> = new Set(["help", ...HELP_FLAGS]);

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v" || name === "version") return print(packageVersion());
  const isHelp = name === undefined || HELP.has(name);
  const wanted = isHelp ? args[0] : name;
  if (wanted === undefined) return print(overview());
  const command = COMMANDS.find((candidate) => candidate.name === wanted);
  if (!command) return printError(`'${wanted}' is not a command.\n\n${overview()}`);
  if (isHelp || args.some((arg) => HELP_FLAGS.has(arg))) return print(helpFor(command));
  try {
    return await command.run(parseCommandLine(command, args));
  } catch (error) {
    if (error instanceof CommandError) return printError(error.message, command.failureExitCode);
    if (command.failureExitCode === undefined) throw error;
    return printError((error as Error).stack ?? String(error), command.failureExitCode);
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const rows = (commands: readonly Command[]) =>
    commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Frontdesk, the open engine for customer-engagement agents.",
    "",
    ...rows(COMMANDS.filter((command) => !resourceCommands.includes(command))),
    "",
    "Resources: list, get, create, update and delete them, e.g. frontdesk agents list --app order-desk",
    "",
    ...rows(resourceCommands),
    "",
    "Run frontdesk help <command> for the flags of a command, and frontdesk --version for the version.",
  ].join("\n");
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
  process.stderr.write(`frontdesk: ${text}\n`);
  return exitCode;
}
