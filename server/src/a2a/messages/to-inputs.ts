import { create, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Message, Part } from "@frontdesk/protos/a2a/a2a";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject } from "#base";
import { STATE_VARIABLE } from "../tasks/asked-state.ts";
import { isTextType } from "./check-message.ts";

/** What of a session decides how a message reads. */
interface InputContext {
  /** Names of the variables that the app declares. */
  readonly variables: ReadonlySet<string>;
  /** Ids of the tool calls that the client may answer. */
  readonly answerableCalls: ReadonlySet<string>;
}

/** A message with the ids that the task has given it. */
interface AddressedMessage {
  readonly message: Message;
  readonly requestMetadata: JsonObject | undefined;
  readonly contextId: string;
  readonly taskId: string;
}

/** The message as inputs of a turn: variables first, then the parts in order (A2A-9, A2A-10, A2A-11). */
export function toInputs(addressed: AddressedMessage, context: InputContext): readonly SessionInput[] {
  const variables = variablesOf(addressed, context.variables);
  const content = addressed.message.parts.flatMap((part) => toInput(part, context));
  if (Object.keys(variables).length === 0) return content;
  return [inputOf({ case: "variables", value: variables }), ...content];
}

/** Metadata whose names are those of the app's variables, and the ids, for apps that declare variables for them (A2A-9). */
function variablesOf(
  { message, requestMetadata, contextId, taskId }: AddressedMessage,
  declared: ReadonlySet<string>,
): JsonObject {
  const given = {
    ...requestMetadata,
    ...message.metadata,
    a2a_message_id: message.messageId,
    a2a_context_id: contextId,
    a2a_task_id: taskId,
    [STATE_VARIABLE]: "",
  };
  return Object.fromEntries(Object.entries(given).filter(([name]) => declared.has(name)));
}

function toInput(part: Part, { answerableCalls }: InputContext): readonly SessionInput[] {
  const { content, filename, mediaType } = part;
  switch (content.case) {
    case "text":
      return [inputOf({ case: "text", value: content.value })];
    case "raw":
      return [fileInput(content.value, mediaType, filename)];
    case "url":
      return [inputOf({ case: "text", value: addressText(content.value, mediaType, filename) })];
    case "data": {
      const data = toJson(ValueSchema, content.value);
      const responses = toolResponsesOf(data, answerableCalls);
      return [responses ?? inputOf({ case: "text", value: JSON.stringify(data) })];
    }
    case undefined:
      return [];
  }
}

function fileInput(data: Uint8Array, mediaType: string, filename: string): SessionInput {
  const mimeType = mediaType.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  if (mimeType.startsWith("image/")) return inputOf({ case: "image", value: { mimeType, data } });
  if (!isTextType(mimeType)) return inputOf({ case: "blob", value: { mimeType, data } });
  const text = new TextDecoder().decode(data);
  return inputOf({ case: "text", value: filename === "" ? text : `${filename}:\n${text}` });
}

/** A file that is only named: the agent's tools can read it, the server does not. */
function addressText(url: string, mediaType: string, filename: string): string {
  const names = [filename, mediaType].filter(Boolean).join(", ");
  return names === "" ? `File: ${url}` : `File (${names}): ${url}`;
}

/** `{"toolResponses": [{"id", "response"}]}` answers calls that the client may answer; any other object is data. */
function toolResponsesOf(data: JsonValue, answerable: ReadonlySet<string>): SessionInput | undefined {
  if (!isJsonObject(data) || !Array.isArray(data.toolResponses) || data.toolResponses.length === 0) return undefined;
  const responses = data.toolResponses.flatMap((each) => {
    if (!isJsonObject(each) || typeof each.id !== "string" || !answerable.has(each.id)) return [];
    const { id, response } = each;
    return [{ id, response: isJsonObject(response) ? response : { result: response ?? null } }];
  });
  if (responses.length < data.toolResponses.length) return undefined;
  return inputOf({ case: "toolResponses", value: { toolResponses: responses } });
}

type InputInit = Parameters<typeof create<typeof SessionInputSchema>>[1] extends infer Init
  ? Init extends { inputType?: infer Case }
    ? NonNullable<Case>
    : never
  : never;

function inputOf(inputType: InputInit): SessionInput {
  return create(SessionInputSchema, { inputType });
}
