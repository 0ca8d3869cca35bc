import type { AgentCard, AgentInterface } from "@frontdesk/protos/ces/agent_card";
import { LRUCache } from "lru-cache";
import { thrownMessage } from "#base";
import { outboundErrorMessage, quoteResponse } from "../outbound-errors.ts";
import type { RemoteMessage, RemoteTarget } from "./send-message.ts";
import type { RemoteAgentResult } from "./task-events.ts";

/** How long an agent's own card is cached, milliseconds. */
const CARD_MS = 10 * 60_000;
/** Limit of cached cards. */
const MAX_CARDS = 500;

/** Client for remote agents that speak A2A. */
export interface RemoteAgents {
  /** Sends a message and waits until the agent has responded, asks for input or failed. Rejects only when `signal` is aborted. */
  send(message: RemoteMessage, target: RemoteTarget): Promise<RemoteAgentResult>;
}

/** Creates the client. It caches whether an agent supports streaming, and nothing of the conversations. */
export function createRemoteAgents(): RemoteAgents {
  const cards = new LRUCache<string, { readonly streaming: boolean; readonly expiresAt: number }>({ max: MAX_CARDS });
  const isStreaming = async (address: string, target: RemoteTarget): Promise<boolean> => {
    const cached = cards.get(address);
    if (cached && cached.expiresAt > performance.now()) return cached.streaming;
    const { supportsStreaming } = await import("./send-message.ts");
    const streaming = await supportsStreaming(address, target);
    if (!target.signal.aborted) cards.set(address, { streaming, expiresAt: performance.now() + CARD_MS });
    return streaming;
  };
  return {
    send: async (message, target) => {
      const chosen = interfaceOf(target.card);
      if (!chosen) return { kind: "failed", error: noInterface(target.card) };
      const limit = AbortSignal.timeout(target.timeoutMs);
      const bounded = { ...target, signal: AbortSignal.any([target.signal, limit]) };
      try {
        // Loaded on first use: most apps have no remote agent.
        const { sendMessage } = await import("./send-message.ts");
        const streaming = target.reception?.streaming ?? (await isStreaming(chosen.url, bounded));
        return await sendMessage(message, chosen, streaming, bounded);
      } catch (error) {
        target.signal.throwIfAborted();
        if (limit.aborted) return { kind: "failed", error: `it did not answer within ${target.timeoutMs} ms` };
        return {
          kind: "failed",
          error: outboundErrorMessage(error) ?? quoteResponse(thrownMessage(error)),
        };
      }
    },
  };
}

/** Protocol bindings that can use the egress gate; gRPC cannot. */
const BINDINGS = new Set(["JSONRPC", "HTTP+JSON"]);

/** Versions of the protocol that the client speaks; 1.0 for an interface that names none. */
const VERSIONS = /^(|0\.3|1\.0)(\.\d+)?$|^1$/;

/** The first supported interface of a card. The order is the agent's preference (agent_card.proto). */
export function interfaceOf({ supportedInterfaces }: AgentCard): AgentInterface | undefined {
  return supportedInterfaces.find((offered) => isSpoken(offered) && isHttp(offered.url));
}

function isSpoken({ protocolBinding, protocolVersion }: AgentInterface): boolean {
  return BINDINGS.has(protocolBinding) && VERSIONS.test(protocolVersion.trim());
}

function isHttp(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

/** Why an agent cannot be called by its card, one sentence each without a full stop. */
export function cardProblems(card: AgentCard): readonly string[] {
  if (interfaceOf(card)) return [];
  const field = "agent_card.supported_interfaces";
  const wrong = card.supportedInterfaces.flatMap((offered, index) =>
    BINDINGS.has(offered.protocolBinding) ? [`${field}[${index}].${interfaceProblem(offered)}`] : [],
  );
  return wrong.length > 0 ? wrong : [`${field}: none is JSONRPC or HTTP+JSON at an absolute http or https URL`];
}

function interfaceProblem(offered: AgentInterface): string {
  if (!isSpoken(offered)) return `protocol_version: '${offered.protocolVersion}' is not 1.0 or 0.3`;
  return `url: '${offered.url}' is not an absolute http or https URL`;
}

function noInterface({ supportedInterfaces }: AgentCard): string {
  const offered = supportedInterfaces
    .map(({ protocolBinding, protocolVersion, url }) =>
      `${protocolBinding} ${protocolVersion} at '${url}'`.replace("  ", " "),
    )
    .join(", ");
  return `its card offers ${offered || "no interface"}; this server supports JSONRPC and HTTP+JSON, 1.0 or 0.3, at an absolute URL`;
}
