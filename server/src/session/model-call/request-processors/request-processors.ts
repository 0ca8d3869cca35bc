import type { ModelRequest } from "#models";
import type { OfferedTools } from "../../tool-calls/offered-tools.ts";
import type { TurnRun } from "../../turn/turn-context.ts";
import { channelPersona } from "./channel-persona.ts";
import { conversationHistory } from "./conversation-history.ts";
import { dialogueContext } from "./dialogue-context.ts";
import { fewShotExamples } from "./few-shot-examples.ts";
import { instructions } from "./instructions.ts";
import { modelSettings } from "./model-settings.ts";
import { multilingual } from "./multilingual.ts";
import { toolDeclarations } from "./tool-declarations.ts";
import { transferTargets } from "./transfer-targets.ts";

/** Adds one thing to a model request. Pure: the request given stays as it is. */
export type RequestProcessor = (request: ModelRequest, turn: TurnRun, offered: OfferedTools) => ModelRequest;

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

const EMPTY: ModelRequest = { system: "", messages: [], tools: [] };

/** The request of the active agent's next model call. */
export function buildModelRequest(turn: TurnRun, offered: OfferedTools): ModelRequest {
  let request = EMPTY;
  for (const process of REQUEST_PROCESSORS) request = process(request, turn, offered);
  return request;
}
