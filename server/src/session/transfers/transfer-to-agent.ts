import type { JsonObject } from "#base";
import { toolError } from "#tools";
import type { AgentNode, AppIndex } from "../app-index.ts";
import type { ChunkInit } from "../model-call/history.ts";
import type { Spans } from "../trace.ts";

/** The agent that a call of transfer_to_agent names: any of the app, by display name or resource name (TURN-22). Code also writes `agent`. */
export function transferTarget(index: AppIndex, args: JsonObject): AgentNode | undefined {
  const name = String(args.agent_name ?? args.agent ?? "");
  return index.agentsByDisplayName.get(name) ?? index.agents.get(name);
}

/** The response to a transfer that was not made: `target` exists and a rule or a guardrail forbids it, or there is none of that name. */
export function transferError(
  target: AgentNode | undefined,
  args: JsonObject,
  offered: readonly AgentNode[],
): JsonObject {
  const agents = offered.map(({ displayName }) => displayName).join(", ") || "none";
  const name = args.agent_name ?? args.agent;
  if (name === undefined || name === null) return toolError(`agent_name is missing. Agents: ${agents}.`);
  if (!target) return toolError(`Agent not found: ${String(name)}. Agents: ${agents}.`);
  const reason = `Agent ${target.displayName} cannot take over now: a transfer rule or a guardrail of the app forbids it.`;
  return toolError(`${reason} Agents: ${agents}.`);
}

/** How a transfer is recorded. */
export function transferChunk({ name, displayName }: AgentNode): ChunkInit {
  return { case: "agentTransfer", value: { targetAgent: name, displayName } };
}

/** The span of a transfer (TURN-23); `cause` is what led to it, when it was not the agent's own answer. */
export function traceTransfer(spans: Spans, agent: AgentNode, target: AgentNode, cause: JsonObject = {}): void {
  spans.start("Transfer").end({ agent: agent.displayName, target: target.displayName, ...cause });
}
