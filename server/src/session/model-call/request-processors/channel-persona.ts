import { ChannelProfile_PersonaProperty_Persona as Persona } from "@frontdesk/protos/ces/common";
import { channelProfileOf } from "../../channel.ts";
import { appendToPrompt } from "./append-to-prompt.ts";
import type { RequestProcessor } from "./request-processors.ts";

/** How talkative the agent is on this channel (`ChannelProfile.persona_property`; TURN-40). */
export const channelPersona: RequestProcessor = (request, turn) =>
  appendToPrompt(request, SENTENCES[channelProfileOf(turn.request)?.personaProperty?.persona ?? Persona.UNKNOWN]);

const SENTENCES: Readonly<Record<Persona, string>> = {
  [Persona.UNKNOWN]: "",
  [Persona.CONCISE]:
    "Keep your answers short: one or two sentences that come to the point, without repetition or small talk.",
  [Persona.CHATTY]:
    "Take your time in your answers: explain, give the context and the details that help, in a conversational tone.",
};
