import type { JsonObject } from "#base";
import { type CallContext, INTERNAL_REVISION, type Registry } from "#rpc";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { createMethodCalls } from "./method-calls.ts";
import type { PromptProvider } from "./providers.ts";
import { transcriptOf } from "./transcript.ts";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The task of the model; the conversation follows. */
  readonly task: string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: "explain_conversation",
    title: "Explain this conversation",
    description: "What happened in a conversation, why the agents acted as they did, and what to improve.",
    task: "Below is a conversation of an app of agents, first its transcript and then the complete JSON with its traces. Explain what the user wanted, which agents, tools and guardrails acted and why, where it went wrong if it did, and which instruction, tool or guardrail you would change. Quote the turn for each finding.",
  },
  {
    name: "write_evaluation",
    title: "Write an evaluation from it",
    description: "Turns a conversation into an evaluation that fails when the app stops behaving like this.",
    task: "Below is a conversation of an app of agents, first its transcript and then the complete JSON. Write a golden evaluation from it for create_evaluation: one turn for each turn of the user, with the user's input and the expectations that matter (tool calls with their arguments, transfers, and what an answer must say), and nothing that may change from run to run. State first what the evaluation protects, then give the JSON of the evaluation.",
  },
];

/** Prompts about one stored conversation. */
export function createConversationPrompts(registry: Registry): PromptProvider {
  const calls = createMethodCalls(registry);
  const findMethod = () =>
    registry.methods.find(
      (each) =>
        each.method.name === "GetConversation" && each.revision === INTERNAL_REVISION && each.path.includes(".ces."),
    );
  const conversation = async (name: string, context: CallContext) => {
    const method = findMethod();
    if (!method) throw new JsonRpcError(JsonRpcCode.internalError, "This server stores no conversations.");
    const response = await calls.call(method, calls.read(method, { name }), {
      context,
      dryRun: false,
      progress: undefined,
    });
    return { transcript: transcriptOf(response), json: JSON.stringify(calls.render(method, response)) };
  };
  return {
    list: (context) => {
      const method = findMethod();
      if (method && !registry.permits(method, context)) return [];
      return PROMPTS.map(({ name, title, description }) => ({ name, title, description, arguments: ARGUMENTS }));
    },
    get: async (name, args, context) => {
      const prompt = PROMPTS.find((each) => each.name === name);
      if (!prompt) return undefined;
      if (typeof args.conversation !== "string")
        throw new JsonRpcError(
          JsonRpcCode.invalidParams,
          "arguments.conversation must be a conversation's resource name, a string.",
        );
      const { transcript, json } = await conversation(args.conversation, context);
      const uri = `frontdesk://${args.conversation}`;
      const content: JsonObject[] = [
        { type: "text", text: [prompt.task, ...transcript].join("\n\n") },
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
