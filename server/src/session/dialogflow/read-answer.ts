import { definedFields, isJsonObject, type JsonObject, type JsonValue, objectOrEmpty, objectsIn, textsIn } from "#base";
import type { DialogflowAnswer, DialogflowMessage } from "./contract.ts";

/** Pages that mean the end of a flow or of the session. */
const END_PAGE = /\/pages\/END_(?:SESSION|FLOW\w*)$/;

/** Reads a `DetectIntentResponse` (dialogflow/cx/v3/session.proto). Missing fields read as empty, as in proto JSON. */
export function readAnswer(response: JsonObject): DialogflowAnswer {
  const result = objectOrEmpty(response.queryResult);
  const raw = objectsIn(result.responseMessages);
  const page = objectOrEmpty(result.currentPage);
  const match = objectOrEmpty(result.match);
  const intent = objectOrEmpty(match.intent ?? result.intent);
  return {
    messages: raw.flatMap(readMessage),
    parameters: objectOrEmpty(result.parameters),
    ended: raw.some(({ endInteraction }) => isJsonObject(endInteraction)) || END_PAGE.test(String(page.name ?? "")),
    trace: {
      ...definedFields({
        "response id": response.responseId,
        page: page.displayName,
        intent: intent.displayName,
        "match type": match.matchType,
        confidence: match.confidence,
      }),
      ...(Array.isArray(result.webhookStatuses) && { "webhook statuses": result.webhookStatuses }),
    },
  };
}

function readMessage(message: JsonObject): readonly DialogflowMessage[] {
  const { text, payload, outputAudioText, liveAgentHandoff, telephonyTransferCall } = message;
  if (isJsonObject(text)) {
    const interruptible = text.allowPlaybackInterruption === true;
    return stringsOf(text.text).flatMap((words) => spoken(words, interruptible));
  }
  if (isJsonObject(payload)) return [{ kind: "payload", payload }];
  if (isJsonObject(outputAudioText)) {
    const words = typeof outputAudioText.ssml === "string" ? plainText(outputAudioText.ssml) : outputAudioText.text;
    return spoken(String(words ?? ""), outputAudioText.allowPlaybackInterruption === true);
  }
  if (isJsonObject(liveAgentHandoff))
    return [{ kind: "live-agent-handoff", metadata: objectOrEmpty(liveAgentHandoff.metadata) }];
  if (isJsonObject(telephonyTransferCall))
    return [{ kind: "call-transfer", phoneNumber: String(telephonyTransferCall.phoneNumber ?? "") }];
  return LEFT_OUT.flatMap((what) => (message[what] === undefined ? [] : [{ kind: "left-out", what }]));
}

/** Kinds that have no output in a conversation by text. `conversationSuccess` and `endInteraction` have no content. */
const LEFT_OUT = ["playAudio", "mixedAudio", "toolCall", "knowledgeInfoCard"];

function spoken(text: string, interruptible: boolean): readonly DialogflowMessage[] {
  return text.trim() === "" ? [] : [{ kind: "text", text, interruptible }];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** The words of SSML. */
function plainText(ssml: string): string {
  return ssml
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  return textsIn(value);
}
