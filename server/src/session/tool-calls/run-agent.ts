import { create } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type Citations_CitedChunk,
  type SessionConfig,
  SessionConfigSchema,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import type { Ids, JsonObject } from "#base";
import { ConnectError } from "#status";
import type { AgentAnswer, CitedSource, RunAgent } from "#tools";
import type { SnapshotRef, TurnEvent, TurnRequest } from "../contract.ts";
import { collectOutputs } from "../turn/folds.ts";
import type { EngineCapabilities, TurnView } from "../turn/turn-context.ts";

/** Most agents that may wait for one another. */
const MOST_CALLERS = 4;

/** Who calls an agent as a tool. */
interface AgentCaller {
  /** Resource name. */
  readonly app: string;
  readonly snapshot: SnapshotRef;
  /** What the called agent's conversation begins with. */
  readonly variables: JsonObject;
  readonly settings?: Partial<Pick<SessionConfig, "timeZone" | "useToolFakes" | "deployment">>;
  /** Agents (resource names) that wait already, the outermost first. */
  readonly callers: readonly string[];
}

/** What of the engine a called agent needs. */
interface AgentRunnerDeps {
  runTurn(request: TurnRequest): AsyncGenerator<TurnEvent, void>;
  readonly ids: Pick<Ids, "uuid">;
}

/** Runs agents of the app for the tools of a turn. */
export function agentRunner(
  turn: TurnView & { readonly engine: Pick<EngineCapabilities, "ids" | "runTurn"> },
): RunAgent {
  const { request, index, engine, variables, state } = turn;
  const { timeZone, useToolFakes, deployment } = request.config;
  return createAgentRunner(engine, {
    app: index.app.name,
    snapshot: request.snapshot,
    variables: variables.values,
    settings: { timeZone, useToolFakes, deployment },
    callers: [...(request.callers ?? []), state.agent.name],
  });
}

/**
 * Calls agents of an app: each call is a session of its own with one turn, recorded as a conversation of the source AGENT_TOOL.
 * It begins with the caller's variables; what it changes of them stays its own.
 */
export function createAgentRunner(deps: AgentRunnerDeps, caller: AgentCaller): RunAgent {
  return async (agent, request, signal) => {
    const error = callerError(caller, agent);
    if (error) return { kind: "failed", error };
    try {
      return await ask(deps, nestedRequest(deps, caller, agent, request, signal));
    } catch (error) {
      if (error instanceof ConnectError) return { kind: "failed", error: error.rawMessage };
      throw error;
    }
  };
}

function callerError({ snapshot: { snapshot }, callers }: AgentCaller, agent: string): string | undefined {
  const found = (name: string) => snapshot.agents.find((candidate) => candidate.name === name);
  const nameOf = (name: string) => found(name)?.displayName ?? name;
  if (!found(agent)) return `Agent not found: ${agent}.`;
  const chain = [...callers, agent].map(nameOf).join(" → ");
  if (callers.includes(agent)) return `Agent ${nameOf(agent)} was not called: it is already waiting (${chain}).`;
  if (callers.length >= MOST_CALLERS) {
    return `Agent ${nameOf(agent)} was not called: agents may call each other ${MOST_CALLERS} deep (${chain}).`;
  }
  return undefined;
}

function nestedRequest(
  { ids }: AgentRunnerDeps,
  { app, snapshot, variables, settings, callers }: AgentCaller,
  agent: string,
  text: string,
  signal: AbortSignal,
): TurnRequest {
  const session = `${app}/sessions/agent-tool-${ids.uuid()}`;
  return {
    session,
    config: create(SessionConfigSchema, { ...settings, session, entryAgent: agent }),
    inputs: [
      create(SessionInputSchema, { inputType: { case: "variables", value: variables } }),
      create(SessionInputSchema, { inputType: { case: "text", value: text } }),
    ],
    snapshot,
    source: Conversation_Source.AGENT_TOOL,
    streamText: false,
    signal,
    callers,
  };
}

async function ask({ runTurn }: AgentRunnerDeps, request: TurnRequest): Promise<AgentAnswer> {
  const outputs = await collectOutputs(runTurn(request));
  if (outputs.some(({ outputType }) => outputType.case === "toolCalls")) {
    return { kind: "failed", error: "The agent asked the client for something, which it cannot do as a tool." };
  }
  const words = outputs.flatMap(({ outputType }) => (outputType.case === "text" ? [outputType.value] : []));
  const sources = outputs.flatMap(({ outputType }) =>
    outputType.case === "citations" ? outputType.value.citedChunks.map(toSource) : [],
  );
  return { kind: "answered", text: words.join("\n"), ...(sources.length > 0 && { sources }) };
}

function toSource({ uri, title, text, requiresAttribution }: Citations_CitedChunk): CitedSource {
  return { uri, title, text, requiresAttribution };
}
