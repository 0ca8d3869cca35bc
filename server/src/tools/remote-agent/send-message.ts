import { type Message, Role, type SendMessageRequest, type AgentCard as SentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { AgentCard, AgentInterface } from "@frontdesk/protos/ces/agent_card";
import { answerOf, applyEvent, type Exchange, exchangeOf, isFinished, type RemoteAnswer } from "./task-events.ts";

export interface RemoteMessage {
  readonly id: string;
  readonly text: string;
  /** What an earlier answer of this conversation brought. */
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
}

export interface RemoteTarget {
  readonly card: AgentCard;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Between two questions how far a task is, milliseconds: at first, and at most. */
const POLL_MS = { first: 500, longest: 5_000 };
/** How long a task that nobody waits for any more may take to be called off, milliseconds. */
const CANCEL_MS = 2_000;

/** Sends a message to the chosen interface and follows what comes of it to its end. Rejects with the library's errors. */
export async function sendMessage(
  message: RemoteMessage,
  chosen: AgentInterface,
  streams: boolean,
  target: RemoteTarget,
): Promise<RemoteAnswer> {
  const { signal } = target;
  const client = await clientOf(chosen, streams, target);
  let exchange: Exchange | undefined;
  try {
    for await (const event of client.sendMessageStream(requestOf(message), { signal })) {
      exchange = applyEvent(exchange, event);
      if (exchange && isFinished(exchange)) break;
    }
    if (!exchange) return { kind: "failed", error: "it answered nothing" };
    return answerOf(await settle(client, exchange, signal));
  } catch (error) {
    if (signal.aborted && exchange?.kind === "task") callOff(client, exchange.taskId);
    throw error;
  }
}

function clientOf(chosen: AgentInterface, streams: boolean, { card, fetch }: RemoteTarget): Promise<Client> {
  const options = { fetchImpl: fetch, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  return factory.createFromAgentCard(sentCard(card, chosen, streams));
}

function sentCard({ name, description, version }: AgentCard, chosen: AgentInterface, streaming: boolean): SentCard {
  const { url, protocolBinding, tenant, protocolVersion } = chosen;
  return {
    name,
    description,
    version,
    supportedInterfaces: [{ url, protocolBinding, tenant, protocolVersion: protocolVersion || "1.0" }],
    capabilities: { streaming, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    provider: undefined,
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [],
    signatures: [],
  };
}

/** Agents may answer before a task is done, or lose the stream; then they are asked. */
async function settle(client: Client, begun: Exchange, signal: AbortSignal): Promise<Exchange> {
  let exchange = begun;
  for (let pause = POLL_MS.first; exchange.kind === "task" && !isFinished(exchange); ) {
    await after(pause, signal);
    exchange = exchangeOf(await client.getTask({ tenant: "", id: exchange.taskId }, { signal }));
    pause = Math.min(POLL_MS.longest, pause * 2);
  }
  return exchange;
}

function after(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", stop);
    resolve();
  }, milliseconds);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return promise;
}

/** A courtesy: whether the agent hears of it changes nothing here. */
function callOff(client: Client, id: string): void {
  const signal = AbortSignal.timeout(CANCEL_MS);
  client.cancelTask({ tenant: "", id, metadata: undefined }, { signal }).catch(() => undefined);
}

function requestOf({ id, text, contextId = "", taskId = "" }: RemoteMessage): SendMessageRequest {
  const message: Message = {
    messageId: id,
    contextId,
    taskId,
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  return {
    tenant: "",
    message,
    configuration: {
      acceptedOutputModes: ["text/plain", "application/json"],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    },
    metadata: undefined,
  };
}

/**
 * Whether the agent streams. The tool's card is a trimmed one that does not say, so the agent's own is asked, beside the
 * interface and at its origin; nothing else of it is used, and it counts only when it is the card of this interface.
 */
export async function supportsStreaming(address: string, { fetch, signal }: RemoteTarget): Promise<boolean> {
  const resolver = new DefaultAgentCardResolver({ fetchImpl: fetch, legacyCompat: { enabled: true } });
  const places = [`${address.replace(/\/+$/, "")}/`, `${new URL(address).origin}/`];
  for (const place of new Set(places)) {
    try {
      const card = await resolver.resolve(new URL(".well-known/agent-card.json", place).href, "");
      if (card.supportedInterfaces.some(({ url }) => url === address)) return card.capabilities?.streaming === true;
    } catch {
      // An agent without a public card is spoken to all the same, one answer at a time.
      if (signal.aborted) return false;
    }
  }
  return false;
}
