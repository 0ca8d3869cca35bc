import { randomUUID } from "node:crypto";
import { type Message, type Part, Role, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";

/** The bindings of the protocol, by the names that cards have for them. */
export const BINDINGS = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
type Binding = (typeof BINDINGS)[number];

/** The SDK's client for an agent, made from its card. */
export async function clientOf(address: string, tenant: string, binding: Binding): Promise<Client> {
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(), new RestTransportFactory(), new GrpcTransportFactory()],
    preferredTransports: [binding],
  });
  return factory.createFromUrl(cardUrl(address, tenant), "");
}

/** The SDK's client of version 0.3. */
export async function legacyClientOf(address: string, tenant: string): Promise<Client> {
  const legacyCompat = { enabled: true };
  const fetchOld: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("A2A-Version", "0.3");
    return fetch(url, { ...init, headers });
  };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat, fetchImpl: fetchOld }),
  });
  return factory.createFromUrl(cardUrl(address, tenant), "");
}

/** The address of an agent's card; "" for the agent of the server. */
export function cardUrl(address: string, tenant: string): string {
  return `${address}${tenant === "" ? "" : `/a2a/${tenant}`}/.well-known/agent-card.json`;
}

/** A request with one message. */
export function messageOf(content: string | readonly Part[], more: Partial<Message> = {}) {
  const parts = typeof content === "string" ? [textPart(content)] : [...content];
  const message: Message = {
    messageId: randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
  return { tenant: "", message, configuration: undefined, metadata: undefined };
}

function textPart(value: string): Part {
  return partOf({ $case: "text", value });
}

export function partOf(content: Part["content"], more: Partial<Part> = {}): Part {
  return { content, metadata: undefined, filename: "", mediaType: "", ...more };
}

/** Sends and expects a task, as every agent here answers. */
export async function taskOf(client: Client, request: Parameters<Client["sendMessage"]>[0]): Promise<Task> {
  const result = await client.sendMessage(request);
  if (!("status" in result)) throw new Error("a message came instead of a task");
  return result;
}

/** All events of a stream. */
export async function eventsOf(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** What the agent has answered: all text of the task's artifacts. */
export function answerOf({ artifacts }: Task): string {
  return artifacts.map(({ parts }) => textOf(parts)).join("\n");
}

export function textOf(parts: readonly Part[]): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : `[${content?.$case}]`)).join("");
}
