// Commands that need the code of the server (`#app`) load it when they run, so that chat, ask and help start at once.
import { ask } from "./ask.ts";
import { chat } from "./chat.ts";
import { type Command, CommandError, helpFor, parseCommandLine } from "./command.ts";
import { exportApp } from "./export.ts";
import { toolFiles } from "./files.ts";
import { importApp } from "./import.ts";
import { mcp } from "./mcp.ts";
import { python } from "./python.ts";
import { recordStored } from "./record.ts";
import { replayRecording } from "./replay.ts";
import { start } from "./start.ts";

const COMMANDS: readonly Command[] = [
  start,
  chat,
  ask,
  importApp,
  exportApp,
  toolFiles,
  recordStored,
  replayRecording,
  python,
  mcp,
];

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (!name || name === "help" || name === "--help" || name === "-h") return print(overview());
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) return printError(`'${name}' is not a command.\n\n${overview()}`);
  if (args.includes("--help") || args.includes("-h")) return print(helpFor(command));
  try {
    return await command.run(parseCommandLine(command, args));
  } catch (error) {
    if (error instanceof CommandError) return printError(error.message);
    throw error;
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const rows = COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Frontdesk, the open engine for customer-engagement agents.",
    "",
    ...rows,
    "",
    "Run frontdesk <command> --help for the flags of a command.",
  ].join("\n");
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function printError(text: string): number {
  process.stderr.write(`frontdesk: ${text}\n`);
  return 1;
}
