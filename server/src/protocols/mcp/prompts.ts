import type { JsonObject } from "#base";
import { type CallContext, INTERNAL_REVISION, type Registry } from "#rpc";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { createMethodCalls } from "./method-calls.ts";
import type { PromptProvider } from "./providers.ts";
import { readable } from "./readable.ts";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the model is asked, before the conversation. */
  readonly task: string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "explain_conversation",
    title: "Explain this conversation",
    description: "What happened in a conversation, why the agents did what they did, and what to improve.",
    task: "Below is a conversation that an app of agents held, first as it reads and then whole with its traces. Explain what the user wanted, which agents, tools and guardrails acted and why, where it went wrong if it did, and which instruction, tool or guardrail you would change. Quote the turn for each finding.",
  },
  {
    name: "write_evaluation",
    title: "Write an evaluation from it",
    description: "Turns a conversation into an evaluation that fails when the app stops behaving like this.",
    task: "Below is a conversation that an app of agents held, first as it reads and then whole. Write a golden evaluation from it for create_evaluation: one turn for each turn of the user, with the user's input and the expectations that matter (tool calls with their arguments, transfers, and what an answer must say), and nothing that may change from run to run. Say first what the evaluation protects, then give the JSON of the evaluation.",
  },
];

/** Prompts about one stored conversation. */
export function createConversationPrompts(registry: Registry): PromptProvider {
  const calls = createMethodCalls(registry);
  const conversation = async (name: string, context: CallContext) => {
    const method = registry.methods.find(
      (each) =>
        each.method.name === "GetConversation" && each.revision === INTERNAL_REVISION && each.path.includes(".ces."),
    );
    if (!method) throw new JsonRpcError(JsonRpcCode.internalError, "This server keeps no conversations.");
    const response = await calls.call(method, calls.read(method, { name }), {
      context,
      dryRun: false,
      progress: undefined,
    });
    return { reads: readable(response), json: JSON.stringify(calls.render(method, response)) };
  };
  return {
    list: () => PROMPTS.map(({ name, title, description }) => ({ name, title, description, arguments: ARGUMENTS })),
    get: async (name, args, context) => {
      const prompt = PROMPTS.find((each) => each.name === name);
      if (!prompt) return undefined;
      if (typeof args.conversation !== "string")
        throw new JsonRpcError(
          JsonRpcCode.invalidParams,
          "arguments.conversation must be a conversation's resource name, a string.",
        );
      const { reads, json } = await conversation(args.conversation, context);
      const uri = `frontdesk://${args.conversation}`;
      const content: JsonObject[] = [
        { type: "text", text: [prompt.task, ...reads].join("\n\n") },
        { type: "resource", resource: { uri, mimeType: "application/json", text: json } },
      ];
      return { description: prompt.description, messages: content.map((each) => ({ role: "user", content: each })) };
    },
  };
}

const ARGUMENTS: JsonObject[] = [
  {
    name: "conversation",
    description: "projects/{project}/locations/{location}/apps/{app}/conversations/{conversation}",
    required: true,
  },
];
