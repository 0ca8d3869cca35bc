import { setTimeout as wait } from "node:timers/promises";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { appName } from "../app-name.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { sinceOf } from "../flags/since.ts";
import { textFlag } from "../flags/text-flag.ts";
import { checkAppExists } from "../known-app.ts";
import { formatOf, OUTPUT_FLAGS, printResult, yamlOf } from "../output/print-result.ts";
import { warn } from "../output/say.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import { stopSignal } from "../stop-signal.ts";
import { type NewTurns, newTurns } from "./new-turns.ts";
import { type TurnReport, turnText, turnValue } from "./turn-report.ts";

/** How often new turns are asked for, in milliseconds. */
const POLL_MS = 1_000;

/** `frontdesk logs`: what is said and called in the conversations of an app, also as it happens. */
export const logs: Command = {
  name: "logs",
  operands: "[app]",
  summary: "show the turns of an app's conversations; with --follow, as they happen (default: order-desk)",
  flags: [
    { name: "follow", summary: "go on with new turns until it is interrupted" },
    {
      name: "since",
      value: "time",
      summary: "from this time on: 30m, 12h, 7d, or a date (default 1h; with --follow, now)",
    },
    { name: "conversation", value: "id", summary: "this conversation alone" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["logs order-desk", "logs order-desk --follow", "logs order-desk --since 7d --json"],
  run: async (input) => {
    const [app, ...others] = input.positionals;
    if (others.length > 0) throw new CommandError("name one app.");
    const { flags } = input;
    const isFollowed = flags.follow === true;
    const since = new Date(sinceOf(textFlag(flags.since) ?? (isFollowed ? "0s" : "1h")));
    const conversation = textFlag(flags.conversation);
    const name = appName(app, input);
    await callServer(input, () => checkAppExists(name, input));
    const turns = newTurns(name, since, conversation, clientFor(AgentService, input));
    return isFollowed ? follow(turns, input) : printAll(await callServer(input, () => turns.next()), input);
  },
};

function printAll(turns: readonly TurnReport[], { flags }: CommandInput): number {
  const text = () => (turns.length === 0 ? "None." : turns.map(turnText).join("\n"));
  printResult(flags, { value: turns.map(turnValue), text });
  return 0;
}

/** Prints until the first SIGINT. A server that is away for a moment, as in a restart, is asked again. */
async function follow(turns: NewTurns, input: CommandInput): Promise<number> {
  const signal = stopSignal();
  // The first failure is told at once: an address that is wrong stays wrong.
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const found = await callServer(input, () => turns.next()).catch((error: Error) => {
      if (isFirst) throw error;
      warn(error.message);
      return [];
    });
    for (const turn of found) process.stdout.write(`${lineOf(turn, input)}\n`);
    await wait(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return 0;
}

/** A turn of a stream: JSON on one line, a document of YAML. */
function lineOf(turn: TurnReport, { flags }: CommandInput): string {
  const format = formatOf(flags);
  if (format === "json") return JSON.stringify(turnValue(turn));
  if (format === "yaml") return `---\n${yamlOf(turnValue(turn))}`;
  return format === "name" ? turn.name : turnText(turn);
}
