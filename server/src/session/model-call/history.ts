import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Chunk, ChunkSchema, Message, ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { type JsonObject, textOrJson } from "#base";
import type { ModelMessage, ModelPart } from "#models";
import { memberName, toolName } from "#tools";
import { SharedList } from "../state/shared-list.ts";
import { blockedInputText } from "../turn/context-texts.ts";
import { isContext, presentAsContext } from "./other-agents.ts";

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
  /** Whether a guardrail kept it from every agent. */
  readonly isBlocked?: boolean;
}

/**
 * The conversation in model form: a fold of the recorded messages, the same from the cache of sessions and after a restart,
 * so that the prompt never depends on which (TURN-44). Custom payloads are not part of it (CB-16).
 */
export class History {
  readonly names: HistoryNames;
  readonly #segments: SharedList<Segment>;
  /** Authors of calls without a response yet, by id: a response may be recorded as the user's, or after a transfer. */
  readonly #callers: Map<string, string | undefined>;
  /** The messages for a reader, up to a number of segments. Lists never change, so that forks share them. */
  readonly #views: Map<string, View>;

  constructor(names: HistoryNames, base: History | undefined = undefined) {
    this.names = names;
    this.#segments = base ? base.#segments.fork() : new SharedList();
    this.#callers = new Map(base ? base.#callers : []);
    this.#views = new Map(base ? base.#views : []);
  }

  /** Its own copy for a turn that may yet be given up. */
  fork(): History {
    return new History(this.names, this);
  }

  /** The messages as an agent (display name) gets them: what other agents did is context (TURN-45). Without a reader, as recorded. */
  messages(reader = ""): readonly ModelMessage[] {
    const view = this.#views.get(reader) ?? EMPTY_VIEW;
    if (view.segments === this.#segments.length) return view.messages;
    const messages = view.messages.slice();
    for (let at = view.segments; at < this.#segments.length; at++) {
      const segment = this.#segments.at(at);
      if (segment) pushSegment(messages, segment, reader);
    }
    this.#views.set(reader, { messages, segments: this.#segments.length });
    return messages;
  }

  append(message: Message, place: MessagePlace): void {
    const speaker = message.role === "user" ? "user" : "model";
    const author = UNNAMED_ROLES.has(message.role.toLowerCase()) ? undefined : message.role;
    const segments: { readonly author: string | undefined; readonly parts: PlacedPart[] }[] = [];
    message.chunks.forEach((chunk, position) => {
      const isBlocked = place.isBlocked && OF_THE_USER.has(chunk.data.case);
      const placed = partsOf(chunk, speaker, this.names, place, position);
      const parts = isBlocked ? placed.map((part) => ({ ...part, isBlocked })) : placed;
      const by = this.#authorOf(chunk, author);
      if (parts.length === 0) return;
      const last = segments.at(-1);
      if (last && last.author === by) last.parts.push(...parts);
      else segments.push({ author: by, parts: [...parts] });
    });
    for (const segment of segments) this.#segments.push(segment);
  }

  /** Who a chunk of a message is by; undefined = the user, the engine, or nobody by name. */
  #authorOf({ data }: Chunk, author: string | undefined): string | undefined {
    if (data.case === "defaultVariables" || data.case === "updatedVariables") return undefined;
    if (data.case === "toolCall") this.#callers.set(callKey(data.value), author);
    if (data.case !== "toolResponse") return author;
    const key = callKey(data.value);
    const caller = this.#callers.has(key) ? this.#callers.get(key) : author;
    this.#callers.delete(key);
    return caller;
  }
}

/** Roles that name no agent. Clients give historical contexts with any of them. */
const UNNAMED_ROLES: ReadonlySet<string> = new Set(["", "user", "agent", "model", "assistant"]);

/** Chunks that hold what a user says and shows; responses of tools and values of variables come from elsewhere. */
const OF_THE_USER: ReadonlySet<Chunk["data"]["case"]> = new Set(["text", "transcript", "image", "blob"]);

/** The call that a chunk makes or answers. Messages that clients give may have no ids. */
function callKey({ id, displayName }: ToolCall | ToolResponse): string {
  return id || displayName;
}

/** Neighbouring parts of one recorded message that have the same author. */
interface Segment {
  readonly author: string | undefined;
  readonly parts: readonly PlacedPart[];
}

interface View {
  readonly messages: readonly ModelMessage[];
  /** How many of the segments the messages show. */
  readonly segments: number;
}

const EMPTY_VIEW: View = { messages: [], segments: 0 };

/** Neighbours of one role are one message: providers want roles to alternate. Context about another agent stays apart. */
function pushSegment(messages: ModelMessage[], segment: Segment, reader: string): void {
  const { author, parts } = segment;
  if (reader !== "" && author !== undefined && author !== reader) {
    messages.push(contextOf(segment, author));
    return;
  }
  const told = reader === "" ? parts : withoutBlocked(parts);
  for (const { role, part } of told) {
    const last = messages.at(-1);
    if (last?.role === role && !isContext(last)) messages[messages.length - 1] = { role, parts: [...last.parts, part] };
    else messages.push({ role, parts: [part] });
  }
}

/** No agent is told what a guardrail blocked, only that there was something (GUARD-30). */
function withoutBlocked(parts: readonly PlacedPart[]): readonly PlacedPart[] {
  const passed = parts.filter(({ isBlocked }) => !isBlocked);
  if (passed.length === parts.length) return parts;
  return [...passed, { role: "user", part: { kind: "text", text: blockedInputText() } }];
}

/** All agents but the author get the same message, so it is written once. */
const contexts = new WeakMap<Segment, ModelMessage>();

function contextOf(segment: Segment, author: string): ModelMessage {
  const known = contexts.get(segment);
  if (known) return known;
  const context = presentAsContext(
    author,
    segment.parts.map(({ part }) => part),
  );
  contexts.set(segment, context);
  return context;
}

interface PlacedPart {
  readonly role: ModelMessage["role"];
  readonly part: ModelPart;
  /** Whether a guardrail kept it from every agent. */
  readonly isBlocked?: boolean;
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
      part: { kind: "text", text: `<state_update>${name}: ${textOrJson(value)}</state_update>` },
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
