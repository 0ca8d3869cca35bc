import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Chunk, ChunkSchema, Message, ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { JsonObject } from "#base";
import type { ModelMessage, ModelPart } from "#models";
import { memberName, toolName } from "#tools";
import { variableText } from "./instruction-template.ts";

/** A chunk before it is part of a message. */
export type ChunkInit = MessageInitShape<typeof ChunkSchema>["data"];

/** Thought signatures of a turn: message position, then chunk position (CONV-5). */
export type Signatures = Readonly<Record<number, Readonly<Record<number, string>>>>;

/** What the fold needs to know of the app. */
export interface HistoryNames {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly dynamicNames: ReadonlySet<string>;
}

/** The position of a message, and what its proto form cannot hold. */
interface MessagePlace {
  /** Turn, from 1; 0 = given by the client as historical context. */
  readonly turn: number;
  /** Position of the message within the turn. */
  readonly position: number;
  /** Thought signatures by chunk position. */
  readonly signatures?: Readonly<Record<number, string>>;
}

/**
 * The conversation in model form: a fold of the recorded messages, the same from the cache of sessions and after a restart,
 * so that the prompt never depends on which (TURN-44). Custom payloads are not part of it (CB-16).
 */
export class History {
  readonly names: HistoryNames;
  #messages: ModelMessage[];

  constructor(names: HistoryNames, messages: readonly ModelMessage[] = []) {
    this.names = names;
    this.#messages = [...messages];
  }

  /** Its own copy for a turn that may yet be given up. */
  fork(): History {
    return new History(this.names, this.#messages);
  }

  messages(): readonly ModelMessage[] {
    return this.#messages.slice();
  }

  append(message: Message, place: MessagePlace): void {
    const speaker = message.role === "user" ? "user" : "model";
    message.chunks.forEach((chunk, position) => {
      for (const { role, part } of partsOf(chunk, speaker, this.names, place, position)) this.#push(role, part);
    });
  }

  /** Neighbours of one role are one message: providers want roles to alternate. */
  #push(role: ModelMessage["role"], part: ModelPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === role) this.#messages[this.#messages.length - 1] = { role, parts: [...last.parts, part] };
    else this.#messages.push({ role, parts: [part] });
  }
}

interface PlacedPart {
  readonly role: ModelMessage["role"];
  readonly part: ModelPart;
}

function partsOf(
  { data }: Chunk,
  speaker: ModelMessage["role"],
  names: HistoryNames,
  place: MessagePlace,
  position: number,
): readonly PlacedPart[] {
  const signature = place.signatures?.[position];
  const signed = signature === undefined ? undefined : { signature };
  switch (data.case) {
    case "text":
    case "transcript":
      return data.value === "" ? [] : [{ role: speaker, part: { kind: "text", text: data.value, ...signed } }];
    case "blob":
    case "image":
      return [{ role: speaker, part: { kind: "blob", mimeType: data.value.mimeType, data: data.value.data } }];
    case "toolCall": {
      const { id, args = {} } = data.value;
      return [
        { role: "model", part: { kind: "function-call", id, name: calledName(data.value, names), args, ...signed } },
      ];
    }
    case "toolResponse": {
      const { id, response = {} } = data.value;
      return [{ role: "user", part: { kind: "function-response", id, name: calledName(data.value, names), response } }];
    }
    case "agentTransfer":
      return transferParts(data.value.displayName, `transfer-${place.turn}-${place.position}-${position}`, signed);
    case "defaultVariables":
    case "updatedVariables":
      return stateUpdates(data.value, names);
    default:
      return [];
  }
}

/** A transfer is a call to a function that the engine answered. */
function transferParts(
  agent: string,
  id: string,
  signed: { readonly signature: string } | undefined,
): readonly PlacedPart[] {
  const name = "transfer_to_agent";
  return [
    { role: "model", part: { kind: "function-call", id, name, args: { agent_name: agent }, ...signed } },
    { role: "user", part: { kind: "function-response", id, name, response: { result: null } } },
  ];
}

/** The values that instructions refer to as `{name}`; all others stay between the app and its code. */
function stateUpdates(values: JsonObject, { dynamicNames }: HistoryNames): readonly PlacedPart[] {
  return Object.entries(values)
    .filter(([name, value]) => dynamicNames.has(name) && value !== undefined)
    .map(([name, value]) => ({
      role: "user",
      part: { kind: "text", text: `<state_update>${name}: ${variableText(value)}</state_update>` },
    }));
}

/** Names of functions, of any length. Examples carry names of toolsets' tools as they were derived, which may be something else. */
const CALLABLE = /^[\w-]+$/;

/** Recorded messages have the display name; messages that clients give may name the resource only. */
function calledName(
  { displayName, toolIdentifier }: ToolCall | ToolResponse,
  { tools, toolsets }: HistoryNames,
): string {
  if (displayName && CALLABLE.test(displayName)) return displayName;
  if (toolIdentifier.case === "toolsetTool") {
    const { toolset, toolId } = toolIdentifier.value;
    const known = toolsets.get(toolset);
    return known ? memberName(known, toolId) : displayName || toolId;
  }
  if (displayName) return displayName;
  const resource = toolIdentifier.value ?? "";
  const tool = tools.get(resource);
  return tool ? toolName(tool) : resource.slice(resource.lastIndexOf("/") + 1);
}
