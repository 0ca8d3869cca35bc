import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ChatRequestSchema,
  ChatRequest_ThinkingMode as ThinkingMode,
} from "@frontdesk/protos/gda/data_chat_service";
import { locationOf } from "#aip";
import { CommandError, type CommandInput, type Flag } from "../command.ts";
import { placeOf } from "../server/connection.ts";

/** The agent over the sample shop. */
const DEFAULT_AGENT = "shop";

/** Of commands that ask a data agent. */
export const AGENT_FLAG: Flag = {
  name: "agent",
  value: "name",
  summary: `data agent: an id or a resource name (default: ${DEFAULT_AGENT})`,
};

/** Exit codes of such commands. */
export const QUESTION_EXIT_CODES = { 2: "the question was not understood" };

/** Exit code when the server has no answer to the question, or did not understand it. */
export const UNANSWERED = 2;

/** The words behind the name of a command. Throws CommandError where there are none. */
export function questionOf({ positionals }: CommandInput, command: string): string {
  const question = positionals.join(" ").trim();
  if (question !== "") return question;
  throw new CommandError(`the question is missing. For example: frontdesk ${command} "revenue by month in 2026"`);
}

/** The request that asks the data agent of a command line. */
export function chatRequest(question: string, input: CommandInput) {
  const { flags } = input;
  const dataAgent = agentName(flags.agent, input);
  return {
    parent: locationOf(dataAgent),
    messages: [{ kind: { case: "userMessage" as const, value: { kind: { case: "text" as const, value: question } } } }],
    contextProvider: { case: "dataAgentContext" as const, value: { dataAgent } },
    thinkingMode: flags.fast === true ? ThinkingMode.FAST : ThinkingMode.THINKING,
  } satisfies MessageInitShape<typeof ChatRequestSchema>;
}

function agentName(given: string | boolean | undefined, input: CommandInput): string {
  const text = typeof given === "string" ? given : DEFAULT_AGENT;
  if (/^projects\/[^/]+\/locations\/[^/]+\/dataAgents\/[^/]+$/.test(text)) return text;
  if (!text.includes("/")) return `${placeOf(input)}/dataAgents/${text}`;
  throw new CommandError(
    `'${text}' is not a data agent. Give an id, or projects/{project}/locations/{location}/dataAgents/{agent}.`,
  );
}
