import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Config, FolderChange, ServedFolder } from "#app";
import { asCommandError } from "../app-package.ts";
import { interactive, openConversation } from "../chat.ts";
import { type Command, CommandError, type CommandInput } from "../command.ts";
import { say } from "../output/say.ts";
import { styled } from "../output/style.ts";
import { portError, startErrorOf } from "../start-error.ts";
import { stopSignal } from "../stop-signal.ts";

/** `frontdesk dev`: serves an app folder while it is edited, and talks to it in the terminal. */
export const dev: Command = {
  name: "dev",
  operands: "<folder>",
  summary: "serve an app folder: each save is imported at once, and you talk to it here or in the console",
  flags: [
    {
      name: "port",
      value: "number",
      summary:
        "TCP port, and no other; default FRONTDESK_PORT, else 8080, or any free one while that is in use; 0: any free one",
    },
    { name: "data", value: "folder", summary: "keep conversations in this data folder (default: nothing is kept)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    { name: "no-chat", summary: "do not talk in the terminal, serve alone" },
    { name: "trace", summary: "show the spans of each turn" },
  ],
  examples: ["dev my-app", "dev my-app --port 0 --no-chat", "dev my-app --data .frontdesk --trace"],
  run: async (input) => {
    const [folder, ...others] = input.positionals;
    if (!folder || others.length > 0) throw new CommandError("name one folder of an app.");
    await using data = await dataOf(input);
    const config = await withFreePort(await configOf(input, data.folder), input);
    const stop = new AbortController();
    const served = await start(folder, config, AbortSignal.any([stop.signal, stopSignal()]));
    process.stderr.write(`${served.server.address}/console/${served.app}\n`);
    if (process.stdin.isTTY && input.flags["no-chat"] !== true) await talk(served, input, stop);
    await served.ended;
    return 0;
  },
};

/** The data folder: the one in `--data`, else one that is gone afterwards. */
async function dataOf({ flags }: CommandInput): Promise<{ readonly folder: string } & AsyncDisposable> {
  const kept = flags.data;
  if (typeof kept === "string") return { folder: kept, [Symbol.asyncDispose]: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-dev-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function configOf({ flags }: CommandInput, dataDir: string): Promise<Config> {
  const { readConfig } = await import("#app");
  const args = ["port", "config"].flatMap((name) => (flags[name] ? [`--${name}`, String(flags[name])] : []));
  try {
    // What can be built again stays where it is, so that the Python image is not built at each start.
    return { ...readConfig(["--log", "error", ...args]), dataDir: resolve(dataDir), example: false };
  } catch (error) {
    throw await startErrorOf(error);
  }
}

/** Beside the server for which the settings, which both read, have a port, this one takes any free one, unless the command line has it. */
async function withFreePort(config: Config, { flags }: CommandInput): Promise<Config> {
  const { host, port } = config;
  const { listenError } = await import("#app");
  if (flags.port !== undefined || (await listenError(host, port))?.code !== "EADDRINUSE") return config;
  process.stderr.write(`port ${port} is in use, so this takes a free one; --port chooses another.\n`);
  return { ...config, port: 0 };
}

async function start(folder: string, config: Config, signal: AbortSignal): Promise<ServedFolder> {
  const { serveFolder } = await import("#app");
  const request = { folder, appId: idOf(folder), signal, onChange: printChange };
  try {
    return await asCommandError(() => serveFolder(request, config));
  } catch (error) {
    throw portError(error) ?? (await startErrorOf(error));
  }
}

/** The folder's name as the id of an app; where that is too short, as `app`, with the name of the folder around it. */
function idOf(folder: string): string {
  const path = resolve(folder);
  const name = basename(path).length < MIN_ID ? `${basename(dirname(path))}-${basename(path)}` : basename(path);
  return name
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .padStart(MIN_ID, "app-")
    .slice(0, MAX_ID);
}

/** Characters of an app's id. */
const MIN_ID = 5;
const MAX_ID = 36;

/** How many changed files are named. */
const MAX_NAMED = 3;

function tell(text: string): void {
  say(`${text}\n`, process.stderr);
}

function printChange({ changed, faults, warnings, durationMs }: FolderChange): void {
  for (const warning of warnings) tell(styled("yellow", `warning: ${warning}`, process.stderr));
  const named = changed.length <= MAX_NAMED ? changed.join(", ") : `${changed.length} files`;
  if (faults.length === 0)
    return void tell(styled("dim", `imported ${named} in ${durationMs.toFixed(0)} ms`, process.stderr));
  for (const fault of faults) tell(styled("red", `fault: ${fault}`, process.stderr));
  tell(`${named} not imported: the app is as it was before.`);
}

/** A turn that fails, as before the app could be imported, is told, and the conversation goes on. */
async function orReport(turn: () => Promise<boolean>): Promise<boolean> {
  try {
    return await turn();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    tell(styled("red", error.message, process.stderr));
    return false;
  }
}

/** A conversation in the terminal, which ends the server. */
async function talk({ server, app }: ServedFolder, { flags }: CommandInput, stop: AbortController): Promise<void> {
  const token = server.app.authentication.operatorToken.text;
  const input = { positionals: [app], flags: { server: server.address, token, trace: flags.trace } };
  try {
    const conversation = openConversation(input);
    await interactive(
      {
        ...conversation,
        greet: () => orReport(() => conversation.greet()),
        say: (text) => orReport(() => conversation.say(text)),
      },
      stop.signal,
    );
  } finally {
    stop.abort();
  }
}
