import { create } from "@bufbuild/protobuf";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { ChunkSchema, MessageSchema } from "@frontdesk/protos/ces/example";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { GoldenTurn } from "./golden-turns.ts";

/** The past that a turn of a STABLE run gets: the earlier turns as the golden expects them (EVAL-6). */
interface ExpectedHistory {
  readonly messages: readonly Message[];
  /** Resource name of the agent that the conversation was with; "" = the root agent. */
  readonly agent: string;
}

/** Writes the turns before one as messages. */
export function expectedHistory(turns: readonly GoldenTurn[]): ExpectedHistory {
  const messages: Message[] = [];
  let agent = "";
  for (const { inputs, expectations } of turns) {
    const said = inputs.flatMap(toChunks);
    if (said.length > 0) messages.push(create(MessageSchema, { role: "user", chunks: said }));
    for (const { condition } of expectations) {
      if (condition.case === "agentTransfer") agent = condition.value.targetAgent;
      if (condition.case === "agentResponse") messages.push(condition.value);
      const chunk = toChunk(condition);
      if (chunk) messages.push(create(MessageSchema, { role: "agent", chunks: [chunk] }));
    }
  }
  return { messages: withPairedIds(messages), agent };
}

function toChunks({ inputType }: SessionInput): readonly Chunk[] {
  switch (inputType.case) {
    case "text":
      return [create(ChunkSchema, { data: { case: "text", value: inputType.value } })];
    case "event":
      return [create(ChunkSchema, { data: { case: "text", value: `<event>${inputType.value.event}</event>` } })];
    case "image":
    case "blob":
      return [create(ChunkSchema, { data: inputType })];
    default:
      return [];
  }
}

function toChunk(condition: GoldenTurn["expectations"][number]["condition"]): Chunk | undefined {
  switch (condition.case) {
    case "toolCall":
      return create(ChunkSchema, {
        data: { case: "toolCall", value: { ...condition.value, args: withoutMatchers(condition.value.args ?? {}) } },
      });
    case "toolResponse":
    case "mockToolResponse":
      return create(ChunkSchema, { data: { case: "toolResponse", value: condition.value } });
    case "agentTransfer":
      return create(ChunkSchema, { data: { case: "agentTransfer", value: condition.value } });
    case "updatedVariables":
      return create(ChunkSchema, { data: { case: "updatedVariables", value: condition.value } });
    default:
      return undefined;
  }
}

/** Arguments as they were when the golden was recorded: a matcher stands for its `$originalValue` (EVAL-2). */
function withoutMatchers(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, original(value)]));
}

function original(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(original);
  if (!isJsonObject(value)) return value;
  if (typeof value.$matchType !== "string") return withoutMatchers(value);
  return value.$originalValue ?? value.$matchValue ?? null;
}

/** Models pair calls and responses by id. Goldens written by hand have none, so each call and its response get one. */
function withPairedIds(messages: readonly Message[]): readonly Message[] {
  const open: string[] = [];
  let [count, answered] = [0, 0];
  const paired = (chunk: Chunk): Chunk => {
    const { data } = chunk;
    if (data.case === "toolCall") {
      count += 1;
      const id = data.value.id || `golden-${count}`;
      open.push(id);
      return { ...chunk, data: { case: "toolCall", value: { ...data.value, id } } };
    }
    if (data.case === "toolResponse") {
      const first = open[answered] ?? "";
      answered = Math.min(answered + 1, open.length);
      return { ...chunk, data: { case: "toolResponse", value: { ...data.value, id: data.value.id || first } } };
    }
    return chunk;
  };
  return messages.map((message) => ({ ...message, chunks: message.chunks.map(paired) }));
}
