import { create } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { SessionConfigSchema, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { ConnectError } from "#status";
import type { AgentAnswer, RunAgent } from "#tools";
import type { TurnRequest } from "./contract.ts";
import { collectOutputs } from "./folds.ts";
import type { TurnRun } from "./turn-run.ts";

/** Most agents that may wait for one another. */
const MOST_CALLERS = 4;

/**
 * Lets tools call agents of the app: each call is a session of its own with one turn, kept as a conversation of the source
 * AGENT_TOOL. It begins with the caller's variables; what it changes of them stays its own.
 */
export function agentRunner(turn: TurnRun): RunAgent {
  const callers = [...(turn.request.callers ?? []), turn.agent.name];
  return async (agent, request, signal) => {
    const refusal = refusalOf(turn, agent, callers);
    if (refusal) return { kind: "failed", error: refusal };
    try {
      return await ask(turn, nestedRequest(turn, agent, request, callers, signal));
    } catch (error) {
      if (error instanceof ConnectError) return { kind: "failed", error: error.rawMessage };
      throw error;
    }
  };
}

function refusalOf({ index }: TurnRun, agent: string, callers: readonly string[]): string | undefined {
  const nameOf = (name: string) => index.agents.get(name)?.displayName ?? name;
  if (!index.agents.has(agent)) return `Agent not found: ${agent}.`;
  const way = [...callers, agent].map(nameOf).join(" → ");
  if (callers.includes(agent)) return `Agent ${nameOf(agent)} was not called: it is already waiting (${way}).`;
  if (callers.length >= MOST_CALLERS) {
    return `Agent ${nameOf(agent)} was not called: agents may call each other ${MOST_CALLERS} deep (${way}).`;
  }
  return undefined;
}

function nestedRequest(
  { request, engine, variables }: TurnRun,
  agent: string,
  text: string,
  callers: readonly string[],
  signal: AbortSignal,
): TurnRequest {
  const parent = request.session.slice(0, request.session.lastIndexOf("/"));
  const session = `${parent}/agent-tool-${engine.ids.uuid()}`;
  const { timeZone, useToolFakes, deployment } = request.config;
  return {
    session,
    config: create(SessionConfigSchema, { session, entryAgent: agent, timeZone, useToolFakes, deployment }),
    inputs: [
      create(SessionInputSchema, { inputType: { case: "variables", value: variables.values } }),
      create(SessionInputSchema, { inputType: { case: "text", value: text } }),
    ],
    snapshot: request.snapshot,
    source: Conversation_Source.AGENT_TOOL,
    streamText: false,
    signal,
    callers,
  };
}

async function ask({ engine }: TurnRun, request: TurnRequest): Promise<AgentAnswer> {
  const outputs = await collectOutputs(engine.runTurn(request));
  if (outputs.some(({ outputType }) => outputType.case === "toolCalls")) {
    return { kind: "failed", error: "The agent asked the client for something, which it cannot do as a tool." };
  }
  const words = outputs.flatMap(({ outputType }) => (outputType.case === "text" ? [outputType.value] : []));
  return { kind: "answered", text: words.join("\n") };
}
