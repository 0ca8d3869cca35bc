import { create } from "@bufbuild/protobuf";
import { type Chunk, ChunkSchema, type Message, MessageSchema, ToolCallSchema } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";

/** A fault of an app: what a turn's messages become, and which metrics must fail for it. */
interface Mutation {
  readonly name: string;
  readonly mutate: (messages: readonly Message[]) => readonly Message[];
  readonly fails: readonly string[];
}

/** The eight faults that a golden must find. Each changes one thing of a turn that has all of them. */
export const MUTATIONS: readonly Mutation[] = [
  { name: "dropped call", mutate: dropCall, fails: ["missing call", "tool response"] },
  { name: "wrong argument", mutate: changeArgument, fails: ["parameters"] },
  { name: "extra call", mutate: addCall, fails: ["extra call"] },
  { name: "order", mutate: swapCalls, fails: ["order"] },
  { name: "wrong agent", mutate: changeAgent, fails: ["agent transfer"] },
  { name: "other text", mutate: changeText, fails: ["agent response", "similarity"] },
  { name: "missing variable", mutate: forgetVariable, fails: ["variables"] },
  { name: "silent turn", mutate: silence, fails: ["agent response", "similarity"] },
];

type Data = Chunk["data"];

/** Each chunk of the agents as `change` makes it; undefined takes it away. */
function ofAgents(messages: readonly Message[], change: (data: Data) => Data | undefined): readonly Message[] {
  return messages.map((message) => {
    if (message.role === "user") return message;
    const chunks = message.chunks.flatMap(({ data }) => {
      const changed = change(data);
      return changed ? [create(ChunkSchema, { data: changed })] : [];
    });
    return create(MessageSchema, { role: message.role, chunks });
  });
}

function firstCall(messages: readonly Message[]) {
  for (const { data } of messages.flatMap(({ chunks }) => chunks)) if (data.case === "toolCall") return data.value;
  throw new Error("the turn calls no tool");
}

function dropCall(messages: readonly Message[]): readonly Message[] {
  const { id } = firstCall(messages);
  const isOf = (data: Data) => (data.case === "toolCall" || data.case === "toolResponse") && data.value.id === id;
  return ofAgents(messages, (data) => (isOf(data) ? undefined : data));
}

function changeArgument(messages: readonly Message[]): readonly Message[] {
  const { id } = firstCall(messages);
  return ofAgents(messages, (data) => {
    if (data.case !== "toolCall" || data.value.id !== id) return data;
    return { case: "toolCall", value: { ...data.value, args: { ...data.value.args, count: -1 } } };
  });
}

function addCall(messages: readonly Message[]): readonly Message[] {
  const value = create(ToolCallSchema, { ...firstCall(messages), id: "one-too-many" });
  const chunks = [create(ChunkSchema, { data: { case: "toolCall", value } })];
  return [...messages, create(MessageSchema, { role: "Host", chunks })];
}

/** The first two calls that are not made at once change places, with their responses. Variables stay where they are set. */
function swapCalls(messages: readonly Message[]): readonly Message[] {
  const swapped = [...messages];
  for (const kind of ["toolCall", "toolResponse"] as const) {
    const isOfKind = ({ data }: Chunk) => data.case === kind;
    const [first = -1, second = -1] = messages.flatMap(({ chunks }, at) => (chunks.some(isOfKind) ? [at] : []));
    for (const [to, from] of [
      [first, second],
      [second, first],
    ] as const) {
      const { role = "", chunks = [] } = messages[to] ?? {};
      const moved = messages[from]?.chunks.filter(isOfKind) ?? [];
      swapped[to] = create(MessageSchema, { role, chunks: [...moved, ...chunks.filter((chunk) => !isOfKind(chunk))] });
    }
  }
  return swapped;
}

function changeAgent(messages: readonly Message[]): readonly Message[] {
  return ofAgents(messages, (data) => {
    if (data.case !== "agentTransfer") return data;
    const value = { ...data.value, targetAgent: `${data.value.targetAgent}-2`, displayName: "Somebody else" };
    return { case: "agentTransfer", value };
  });
}

function changeText(messages: readonly Message[]): readonly Message[] {
  return ofAgents(messages, (data) => (data.case === "text" ? { ...data, value: "I cannot help with that." } : data));
}

/** The last variable that the turn sets is set nowhere. */
function forgetVariable(messages: readonly Message[]): readonly Message[] {
  const updates = messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "updatedVariables" ? Object.keys(data.value) : [])),
  );
  const forgotten = updates.at(-1) ?? "";
  return ofAgents(messages, (data) => {
    if (data.case !== "updatedVariables") return data;
    const { [forgotten]: _, ...value } = data.value as JsonObject;
    return { case: "updatedVariables", value };
  });
}

function silence(messages: readonly Message[]): readonly Message[] {
  return ofAgents(messages, (data) => (data.case === "text" ? undefined : data));
}
