import type { AgentCard, AgentInterface } from "@frontdesk/protos/ces/agent_card";
import { outboundErrorMessage, quoteResponse } from "../outbound-errors.ts";
import type { RemoteMessage, RemoteTarget } from "./send-message.ts";
import type { RemoteAnswer } from "./task-events.ts";

/** How long it is believed what an agent's own card says, milliseconds. */
const CARD_MS = 10 * 60_000;
/** Agents of which it is remembered. */
const MAX_CARDS = 500;

/** Agents elsewhere that speak A2A. */
export interface RemoteAgents {
  /** Sends a message and waits until the agent has answered, asks back or gave up. Rejects only when `signal` is aborted. */
  send(message: RemoteMessage, target: RemoteTarget): Promise<RemoteAnswer>;
}

/** Creates the way to remote agents. It remembers for a while whether an agent streams, and nothing of what was said. */
export function createRemoteAgents(): RemoteAgents {
  const known = new Map<string, { readonly streams: boolean; readonly until: number }>();
  const streams = async (address: string, target: RemoteTarget): Promise<boolean> => {
    const found = known.get(address);
    if (found && found.until > performance.now()) return found.streams;
    const { supportsStreaming } = await import("./send-message.ts");
    const answer = await supportsStreaming(address, target);
    if (known.size >= MAX_CARDS) known.clear();
    if (!target.signal.aborted) known.set(address, { streams: answer, until: performance.now() + CARD_MS });
    return answer;
  };
  return {
    send: async (message, target) => {
      const chosen = interfaceOf(target.card);
      if (!chosen) return { kind: "failed", error: noInterface(target.card) };
      const limit = AbortSignal.timeout(target.timeoutMs);
      const bounded = { ...target, signal: AbortSignal.any([target.signal, limit]) };
      try {
        // Loaded with the first agent: most apps have none.
        const { sendMessage } = await import("./send-message.ts");
        return await sendMessage(message, chosen, await streams(chosen.url, bounded), bounded);
      } catch (error) {
        target.signal.throwIfAborted();
        if (limit.aborted) return { kind: "failed", error: `it did not answer within ${target.timeoutMs} ms` };
        return {
          kind: "failed",
          error: outboundErrorMessage(error) ?? quoteResponse(error instanceof Error ? error.message : String(error)),
        };
      }
    },
  };
}

/** Bindings that go through the egress gate. gRPC does not. */
const BINDINGS = new Set(["JSONRPC", "HTTP+JSON"]);

/** The first interface of the card that this server speaks: the card's order is the agent's preference (agent_card.proto). */
export function interfaceOf({ supportedInterfaces }: AgentCard): AgentInterface | undefined {
  return supportedInterfaces.find(({ protocolBinding, url }) => BINDINGS.has(protocolBinding) && URL.canParse(url));
}

function noInterface({ supportedInterfaces }: AgentCard): string {
  const offered = supportedInterfaces.map(({ protocolBinding, url }) => `${protocolBinding} at '${url}'`).join(", ");
  return `its card offers ${offered || "no interface"}; this server speaks JSONRPC and HTTP+JSON at an absolute URL`;
}
