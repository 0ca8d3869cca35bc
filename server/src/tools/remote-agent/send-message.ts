import { type Message, Role, type AgentCard as SdkAgentCard, type SendMessageRequest } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { AgentCard, AgentInterface } from "@frontdesk/protos/ces/agent_card";
import type { JsonObject } from "#base";
import type { RemoteReception } from "../contract.ts";
import {
  applyEvent,
  isFinished,
  type RemoteAgentResult,
  type TaskProgress,
  textSoFar,
  toProgress,
  toResult,
} from "./task-events.ts";

/** What is said to a remote agent. */
export interface RemoteMessage {
  readonly id: string;
  readonly text: string;
  /** Ids from the last response in this conversation. */
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Values beside the text. Default: none. */
  readonly metadata?: JsonObject | undefined;
}

/** A remote agent, and how it is reached. */
export interface RemoteTarget {
  readonly card: AgentCard;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** Default: as the agent's own card says, and whole. */
  readonly reception?: RemoteReception | undefined;
  readonly signal: AbortSignal;
}

/** Delay between polls of a task, milliseconds: initial and maximum. */
const POLL_MS = { first: 500, longest: 5_000 };
/** Timeout of the request that cancels a task, milliseconds. */
const CANCEL_MS = 2_000;

/** Sends a message to the chosen interface and follows the task to its end. Rejects with the library's errors. */
export async function sendMessage(
  message: RemoteMessage,
  chosen: AgentInterface,
  streaming: boolean,
  target: RemoteTarget,
): Promise<RemoteAgentResult> {
  const { signal } = target;
  const client = await createClient(chosen, streaming, target);
  let progress: TaskProgress | undefined;
  const tell = textReporter(target.reception);
  // A task that goes on is told first as it was: waiting for this message.
  let isBefore = message.taskId !== undefined;
  try {
    for await (const event of client.sendMessageStream(toRequest(message), { signal })) {
      progress = applyEvent(progress, event);
      if (progress) tell(textSoFar(progress));
      if (progress && isFinished(progress) && !(isBefore && event.payload?.$case === "task")) break;
      isBefore = false;
    }
    if (!progress) return { kind: "failed", error: "it sent no response" };
    return toResult(await pollUntilFinished(client, progress, signal));
  } catch (error) {
    if (signal.aborted && progress?.kind === "task") cancelTask(client, progress.taskId);
    throw error;
  }
}

/** Tells what is new of a text that grows. A text that changes in its middle is not told any further. */
function textReporter(reception: RemoteReception | undefined): (text: string) => void {
  let reported = "";
  return (text) => {
    if (text.length <= reported.length || !text.startsWith(reported)) return;
    reception?.onText(text.slice(reported.length));
    reported = text;
  };
}

function createClient(chosen: AgentInterface, streaming: boolean, { card, fetch }: RemoteTarget): Promise<Client> {
  const options = { fetchImpl: fetch, legacyCompat: { enabled: true } };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
  });
  return factory.createFromAgentCard(toSdkCard(card, chosen, streaming));
}

function toSdkCard(
  { name, description, version }: AgentCard,
  chosen: AgentInterface,
  streaming: boolean,
): SdkAgentCard {
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

/** Polls a task that is not finished when the response or the stream has ended. */
async function pollUntilFinished(
  client: Client,
  knownProgress: TaskProgress,
  signal: AbortSignal,
): Promise<TaskProgress> {
  let progress = knownProgress;
  for (let pause = POLL_MS.first; progress.kind === "task" && !isFinished(progress); ) {
    await delay(pause, signal);
    progress = toProgress(await client.getTask({ tenant: "", id: progress.taskId }, { signal }));
    pause = Math.min(POLL_MS.longest, pause * 2);
  }
  return progress;
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
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

/** Asks the agent to cancel a task; failures are ignored. */
function cancelTask(client: Client, id: string): void {
  const signal = AbortSignal.timeout(CANCEL_MS);
  client.cancelTask({ tenant: "", id, metadata: undefined }, { signal }).catch(() => undefined);
}

function toRequest({ id, text, contextId = "", taskId = "", metadata }: RemoteMessage): SendMessageRequest {
  const message: Message = {
    messageId: id,
    contextId,
    taskId,
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
    metadata,
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
 * Whether the agent supports streaming. The card in a tool lacks this capability, so the agent's own card is fetched, below the interface's
 * URL and at its origin. Nothing else of it is used, and it counts only when it lists this interface.
 */
export async function supportsStreaming(address: string, { fetch, signal }: RemoteTarget): Promise<boolean> {
  const resolver = new DefaultAgentCardResolver({ fetchImpl: fetch, legacyCompat: { enabled: true } });
  const bases = [`${address.replace(/\/+$/, "")}/`, `${new URL(address).origin}/`];
  for (const base of new Set(bases)) {
    try {
      const card = await resolver.resolve(new URL(".well-known/agent-card.json", base).href, "");
      if (card.supportedInterfaces.some(({ url }) => url === address)) return card.capabilities?.streaming === true;
    } catch {
      // An agent without a public card is called without streaming.
      if (signal.aborted) return false;
    }
  }
  return false;
}
