import { ChannelProfile_PersonaProperty_Persona as Persona } from "@frontdesk/protos/ces/common";
import { definedFields } from "#base";
import type { LanguageModel, ModelRequest } from "#models";
import type { AgentNode, AppIndex } from "../app-index.ts";
import { channelProfileOf } from "../channel.ts";
import { stateValues } from "../state/variables.ts";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import type { TurnView } from "../turn/turn-context.ts";
import { showsThoughts } from "./call-model.ts";
import { isConstant, renderInstruction } from "./instruction-template.ts";
import { modelSettingsOf } from "./model-settings.ts";

/** Adds one thing to a model request. Pure: the request given stays as it is. */
type RequestProcessor = (request: ModelRequest, turn: TurnView, offered: OfferedTools) => ModelRequest;

/** The request of the active agent's next model call. */
export function buildModelRequest(turn: TurnView, offered: OfferedTools): ModelRequest {
  let request = EMPTY;
  for (const process of REQUEST_PROCESSORS) request = process(request, turn, offered);
  return request;
}

const EMPTY: ModelRequest = { system: "", messages: [], tools: [] };

/** How the model is called, and the safety settings of the agent's guardrails; the provider's defaults otherwise. */
const modelSettings: RequestProcessor = (request, turn) => {
  const { temperature, thinkingLevel } = modelSettingsOf(turn);
  const { safetySettings } = turn.state.agent;
  return {
    ...request,
    ...definedFields({ temperature, thinkingLevel }),
    ...(showsThoughts(turn) && { thoughtSummaries: true }),
    ...(safetySettings.length > 0 && { safetySettings }),
  };
};

/** The app's global instruction and the agent's own, with static variables filled in. */
const instructions: RequestProcessor = (request, turn) => {
  const { instruction } = turn.state.agent;
  const values = isConstant(instruction) ? {} : { ...turn.channel, ...stateValues(turn) };
  return { ...request, system: renderInstruction(instruction, values) };
};

/** How talkative the agent is on this channel (`ChannelProfile.persona_property`; TURN-40). */
const channelPersona: RequestProcessor = (request, turn) =>
  appendToPrompt(request, SENTENCES[channelProfileOf(turn.request)?.personaProperty?.persona ?? Persona.UNKNOWN]);

const SENTENCES: Readonly<Record<Persona, string>> = {
  [Persona.UNKNOWN]: "",
  [Persona.CONCISE]:
    "Keep your answers short: one or two sentences that come to the point, without repetition or small talk.",
  [Persona.CHATTY]:
    "Take your time in your answers: explain, give the context and the details that help, in a conversational tone.",
};

/** What every agent of an app with multilingual support gets (TURN-39). */
const multilingual: RequestProcessor = (request, { index }) => appendToPrompt(request, multilingualText(index));

const multilingualBlocks = new WeakMap<AppIndex, string>();

function multilingualText(index: AppIndex): string {
  let block = multilingualBlocks.get(index);
  if (block === undefined) {
    block = index.app.languageSettings?.enableMultilingualSupport ? writeMultilingual(index) : "";
    multilingualBlocks.set(index, block);
  }
  return block;
}

/** About understanding only: the instruction sets the language of the answer, as hosted. */
function writeMultilingual({ app, languageCode }: AppIndex): string {
  const { supportedLanguageCodes = [] } = app.languageSettings ?? {};
  const languages = [...new Set([languageCode, ...supportedLanguageCodes])].filter((code) => code !== "");
  return [
    `Users may write in any of these languages (as codes): ${languages.join(", ") || "any"}, mix them in one message and change between them.`,
    "Understand each message in its own language. Give tools their arguments in the form that they ask for, whatever language the user writes in; leave names, addresses, codes and quoted words as the user wrote them.",
    "Do not take a change of language for a mistake or for a new request.",
  ].join("\n");
}

/** The agent's few-shot examples. */
const fewShotExamples: RequestProcessor = (request, { state }) => appendToPrompt(request, state.agent.examples);

/** The agents that the active one may transfer to (TURN-21). The opening words are the runtime's own: user code looks for them. */
const transferTargets: RequestProcessor = (request, { state }, offered) =>
  appendToPrompt(request, transferText(state.agent, offered));

/** What an agent is offered rarely changes within a snapshot. */
const transferBlocks = new WeakMap<OfferedTools, string>();

function transferText(agent: AgentNode, offered: OfferedTools): string {
  let block = transferBlocks.get(offered);
  if (block === undefined) {
    block = offered.transferTargets.length === 0 ? "" : writeTransfers(agent, offered.transferTargets);
    transferBlocks.set(offered, block);
  }
  return block;
}

function writeTransfers({ parent }: AgentNode, targets: readonly AgentNode[]): string {
  const list = targets.map(
    ({ displayName, agent }) => `Agent name: ${displayName}\nAgent description: ${agent.description}`,
  );
  const lines = [
    "You have a list of other agents to transfer to:",
    ...list.map((entry) => `\n${entry}`),
    "\nAnswer yourself when your own description covers the request. When another agent's description covers it better, " +
      "call the function transfer_to_agent with that agent's name, without any other words.",
  ];
  if (parent && targets.includes(parent))
    lines.push(
      `When neither you nor the others are right for the request, transfer to your parent agent ${parent.displayName}.`,
    );
  return lines.join("\n");
}

/** The conversation so far as the active agent gets it, this turn's input included. */
const conversationHistory: RequestProcessor = (request, { history, state }) => ({
  ...request,
  messages: history.messages(state.agent.displayName),
});

/** The functions of the agent's tools, and transfer_to_agent when there is an agent to transfer to. */
const toolDeclarations: RequestProcessor = (request, _turn, offered) => ({ ...request, tools: offered.declarations });

/** The agent and its dialogue in structured form, and the agent as the caller. */
const dialogueContext: RequestProcessor = (request, { state: { agent }, variables }, offered) => ({
  ...request,
  caller: agent.displayName,
  dialogueContext: {
    agentName: agent.displayName,
    instruction: agent.agent.instruction,
    transferTargets: offered.transferTargets.map((target) => ({
      name: target.displayName,
      description: target.agent.description,
    })),
    state: variables.values,
    examples: agent.dialogueExamples,
  },
});

/** Built from the first to the last; the order of the prompt's parts is the order here (TURN-43). */
const REQUEST_PROCESSORS: readonly RequestProcessor[] = [
  modelSettings,
  instructions, // first words of the prompt: providers cache by prefix, and this part changes least
  channelPersona, // how the instruction above is to be carried out
  multilingual,
  fewShotExamples, // after the instruction they illustrate
  transferTargets, // last of the prompt, where hosted agents have it
  conversationHistory,
  toolDeclarations,
  dialogueContext, // not part of the prompt
];

/** The request with those parts that the model declares to read. */
export function supportedRequest(request: ModelRequest, { capabilities }: LanguageModel): ModelRequest {
  if (capabilities.dialogueContext || !request.dialogueContext) return request;
  const { dialogueContext: _context, ...rest } = request;
  return rest;
}

/** The request with one more block at the end of its system prompt; "" adds nothing. */
function appendToPrompt(request: ModelRequest, block: string): ModelRequest {
  if (block === "") return request;
  return { ...request, system: request.system === "" ? block : `${request.system}\n\n${block}` };
}
