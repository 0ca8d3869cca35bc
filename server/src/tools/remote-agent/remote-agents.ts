import type { AgentCard, AgentInterface } from "@frontdesk/protos/ces/agent_card";
import type { JsonObject, JsonValue } from "#base";
import { outboundCause, quoted } from "../outbound-cause.ts";

/** How long it is believed what an agent's own card says, milliseconds. */
const CARD_MS = 10 * 60_000;
/** Agents of which it is remembered. */
const MAX_CARDS = 500;

/** What a remote agent did with a message. */
export type RemoteAnswer =
  | (RemoteWords & { readonly kind: "answered" })
  /** The agent asks back; the answer goes to the same task. */
  | (RemoteWords & { readonly kind: "input-required"; readonly taskId: string })
  | { readonly kind: "failed"; readonly error: string; readonly contextId?: string };

interface RemoteWords {
  readonly text: string;
  readonly data: readonly JsonValue[];
  readonly files: readonly JsonObject[];
  /** "" when the agent keeps none. */
  readonly contextId: string;
}

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
    const { asksForStreams } = await import("./converse.ts");
    const answer = await asksForStreams(address, target);
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
        const { converse } = await import("./converse.ts");
        return await converse(message, chosen, await streams(chosen.url, bounded), bounded);
      } catch (error) {
        target.signal.throwIfAborted();
        if (limit.aborted) return { kind: "failed", error: `it did not answer within ${target.timeoutMs} ms` };
        return {
          kind: "failed",
          error: outboundCause(error) ?? quoted(error instanceof Error ? error.message : String(error)),
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
