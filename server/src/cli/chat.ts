import { randomUUID } from "node:crypto";
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { type JsonObject, toJson } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import {
  type RunSessionResponse,
  RunSessionResponseSchema,
  type SessionOutput,
  SessionService,
} from "@frontdesk/protos/ces/session_service";
import { definedFields } from "#base";
import { appName } from "./app-name.ts";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { deploymentName } from "./deployment-name.ts";
import { formatOf, OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { say } from "./output/say.ts";
import { styled as styledText } from "./output/style.ts";
import { notesText, turnNotes } from "./output/turn-notes.ts";
import { waterfall } from "./output/waterfall.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk chat`: a conversation in the terminal, with streamed responses and, with `--trace`, the spans of each turn. */
export const chat: Command = {
  name: "chat",
  operands: "[app]",
  surplus: "To say one text, use --say.",
  summary: "talk to an app in the terminal (default: order-desk)",
  flags: [
    { name: "trace", summary: "show the spans of each turn" },
    { name: "say", value: "text", summary: "send this text, print the response, and exit" },
    { name: "session", value: "id", summary: "continue this session (default: a new one)" },
    { name: "deployment", value: "name", summary: "talk to a deployment, by id or display name, instead of the draft" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    "chat",
    'chat order-desk --say "Where is my order A-1001?" --trace',
    "chat order-desk --say hello --session talk-1 --json",
  ],
  run: async (given) => {
    const input: CommandInput = { ...given, flags: { ...given.flags, ...(await deploymentFlag(given)) } };
    const conversation = openConversation(input);
    const text = input.flags.say;
    if (formatOf(input.flags) !== "table") {
      if (typeof text !== "string") throw new CommandError("--output needs --say: a conversation is for people.");
      printResult(input.flags, {
        value: { name: conversation.session, responses: await conversation.ask(text) },
        text,
      });
      return 0;
    }
    if (typeof text === "string") {
      await conversation.say(text);
      return 0;
    }
    await interactive(conversation);
    return 0;
  },
};

/** The deployment by its resource name, which the API takes. */
async function deploymentFlag(input: CommandInput): Promise<{ readonly deployment?: string }> {
  const { deployment } = input.flags;
  if (typeof deployment !== "string") return {};
  return { deployment: await deploymentName(appName(input.positionals[0], input), deployment, input) };
}

interface Conversation {
  readonly session: string;
  /** Runs a turn; returns whether the agent ended the session. */
  say(text: string): Promise<boolean>;
  greet(): Promise<boolean>;
  /** Runs a turn without printing it; returns its responses in JSON. */
  ask(text: string): Promise<JsonObject[]>;
}

/** A new conversation with the app of the command line, or the one of `--session`. */
export function openConversation(input: CommandInput): Conversation {
  const { flags, positionals } = input;
  const session = `${appName(positionals[0], input)}/sessions/${flags.session ?? randomUUID()}`;
  const client = clientFor(SessionService, input);
  const config = { session, deployment: String(flags.deployment ?? ""), enableTextStreaming: true };
  type Input =
    | { readonly case: "text"; readonly value: string }
    | { readonly case: "event"; readonly value: { readonly event: string } };
  const run = (inputType: Input) => client.streamRunSession({ config, inputs: [{ inputType }] });
  const told = new Set<string>();
  const turn = (inputType: Input) =>
    callServer(input, () => show(run(inputType), { trace: flags.trace === true, told }));
  return {
    session,
    say: (text) => turn({ case: "text", value: text }),
    greet: () => turn({ case: "event", value: { event: "welcome" } }),
    ask: (text) =>
      callServer(input, async () => {
        const responses = await Array.fromAsync(run({ case: "text", value: text }));
        return responses.map((response) => toJson(RunSessionResponseSchema, response) as JsonObject);
      }),
  };
}

/** Talks in the terminal until either side ends it, or the signal aborts. */
export async function interactive(conversation: Conversation, signal?: AbortSignal): Promise<void> {
  stdout.write(dim(`${conversation.session}\nAn empty line or Ctrl-D ends the conversation.\n`));
  const terminal = createInterface({
    input: stdin,
    output: stdout,
    prompt: bold("you    "),
    ...definedFields({ signal }),
  });
  try {
    // Created before the first turn, so that lines that have already arrived are not lost.
    const lines = terminal[Symbol.asyncIterator]();
    let ended = await conversation.greet();
    while (!ended) {
      if (stdin.isTTY) terminal.prompt(); // Piped input may be closed already, and needs no prompt.
      const { value, done } = await lines.next();
      const text = done ? "" : value.trim();
      if (!text) break;
      if (!stdin.isTTY) stdout.write(`${bold("you    ")}${text}\n`);
      ended = await conversation.say(text);
    }
  } finally {
    terminal.close();
  }
}

/** How turns are shown. */
interface Showing {
  /** Whether with their spans. */
  readonly trace: boolean;
  /** Warnings of earlier turns, which are not repeated. */
  readonly told: Set<string>;
}

/** Prints a turn while it is streamed, and what failed in it; returns whether the session ended. */
async function show(responses: AsyncIterable<RunSessionResponse>, { trace, told }: Showing): Promise<boolean> {
  let ended = false;
  let speaking = false;
  let answered = false;
  for await (const { outputs } of responses) {
    for (const output of outputs) {
      answered ||= output.outputType.case !== undefined;
      if (output.outputType.case === "text" && output.outputType.value) {
        say(speaking ? output.outputType.value : bold("agent  ") + output.outputType.value);
        speaking = true;
        continue;
      }
      ended ||= output.outputType.case === "endSession";
      const line = lineFor(output);
      if (line) say(`${speaking ? "\n" : ""}${dim(line)}\n`);
      if (line) speaking = false;
      const span = output.diagnosticInfo?.rootSpan;
      const notes = span && newNotes(span, told);
      if (span && (trace || notes)) {
        const parts = [trace ? dim(waterfall(span)) : "", notes].filter(Boolean);
        say(`${speaking ? "\n" : ""}${parts.join("\n")}\n`);
        speaking = false;
      }
    }
  }
  if (speaking) stdout.write("\n");
  if (!answered) say(`${dim("[no answer]")}\n`);
  return ended;
}

function newNotes(span: Span, told: Set<string>): string {
  const { warnings, ...notes } = turnNotes(span);
  const unknown = warnings.filter((warning) => !told.has(warning));
  for (const warning of unknown) told.add(warning);
  return notesText({ ...notes, warnings: unknown });
}

/** The line of an output that is not text; undefined for the last output of a turn. */
function lineFor({ outputType }: SessionOutput): string | undefined {
  switch (outputType.case) {
    case "toolCalls":
      return outputType.value.toolCalls
        .map((call) => `[client tool ${call.displayName} ${JSON.stringify(call.args ?? {})}]`)
        .join("\n");
    case "image":
      return `[image ${outputType.value.mimeType}, ${outputType.value.data.length} bytes]`;
    case "payload":
      return `[payload ${JSON.stringify(outputType.value)}]`;
    case "endSession":
      return `[session ended ${JSON.stringify(outputType.value.metadata ?? {})}]`;
    default:
      return undefined;
  }
}

const bold = (text: string) => styledText("bold", text, stdout);
const dim = (text: string) => styledText("dim", text, stdout);
