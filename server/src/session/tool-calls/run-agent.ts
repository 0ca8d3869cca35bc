import { isDeepStrictEqual } from "node:util";
import { create } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type Citations_CitedChunk,
  type SessionConfig,
  SessionConfigSchema,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { type Ids, type JsonObject, mapStream, pickJson } from "#base";
import { ConnectError } from "#status";
import type { AgentAnswer, CitedSource, RunAgent, ToolStateChange } from "#tools";
import type { SnapshotRef, TurnEvent, TurnRequest } from "../contract.ts";
import { PREDEFINED_VARIABLES, variableDefaults } from "../state/variables.ts";
import { textInput } from "../text-input.ts";
import { collectOutputs } from "../turn/folds.ts";
import type { EngineCapabilities, TurnView } from "../turn/turn-context.ts";

/** Most agents that may wait for one another. */
const MOST_CALLERS = 4;

/** Who calls an agent as a tool. */
interface AgentCaller {
  /** Resource name. */
  readonly app: string;
  readonly snapshot: SnapshotRef;
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
  const { request, index, engine, state } = turn;
  const { timeZone, useToolFakes, deployment } = request.config;
  return createAgentRunner(engine, {
    app: index.app.name,
    snapshot: request.snapshot,
    settings: { timeZone, useToolFakes, deployment },
    callers: [...(request.callers ?? []), state.agent.name],
  });
}

/**
 * Calls agents of an app: each call is a session of its own with one turn, recorded as a conversation of the source AGENT_TOOL.
 * It begins with the caller's variables, and answers what it changed of them, as agents as tools do in ADK.
 */
export function createAgentRunner(deps: AgentRunnerDeps, caller: AgentCaller): RunAgent {
  return async (agent, request, { variables, signal }) => {
    const error = callerError(caller, agent);
    if (error) return { kind: "failed", error };
    const { app } = caller.snapshot.snapshot;
    const given = withoutPredefined(variables, app);
    try {
      const answer = await ask(deps, nestedRequest(deps, caller, agent, request, given, signal));
      if (answer.kind === "failed") return answer;
      const { variables: after, ...said } = answer;
      const before = { ...(app && variableDefaults(app)), ...given };
      return { ...said, state: changesBetween(before, withoutPredefined(after, app)) };
    } catch (error) {
      if (error instanceof ConnectError) return { kind: "failed", error: error.rawMessage };
      throw error;
    }
  };
}

/** Predefined variables are those of each session, unless the app declares them itself. */
function withoutPredefined(variables: JsonObject, app: App | undefined): JsonObject {
  const declared = new Set(app?.variableDeclarations.map(({ name }) => name));
  const own = Object.keys(variables).filter((name) => declared.has(name) || !PREDEFINED_VARIABLES.includes(name));
  return pickJson(variables, own);
}

function changesBetween(before: JsonObject, after: JsonObject): ToolStateChange {
  const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return {
    set: pickJson(after, changed),
    removed: Object.keys(before).filter((name) => !(name in after)),
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
  { app, snapshot, settings, callers }: AgentCaller,
  agent: string,
  text: string,
  variables: JsonObject,
  signal: AbortSignal,
): TurnRequest {
  const session = `${app}/sessions/agent-tool-${ids.uuid()}`;
  return {
    session,
    config: create(SessionConfigSchema, { ...settings, session, entryAgent: agent }),
    inputs: [create(SessionInputSchema, { inputType: { case: "variables", value: variables } }), textInput(text)],
    snapshot,
    source: Conversation_Source.AGENT_TOOL,
    streamText: false,
    signal,
    callers,
  };
}

/** What an agent said, and the variables of its conversation afterwards. */
type Asked =
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly variables: JsonObject;
      readonly sources?: readonly CitedSource[];
    }
  | Extract<AgentAnswer, { kind: "failed" }>;

async function ask({ runTurn }: AgentRunnerDeps, request: TurnRequest): Promise<Asked> {
  let variables: JsonObject = {};
  const events = mapStream(runTurn(request), (event) => {
    if (event.kind === "turn-completed") ({ variables } = event);
    return event;
  });
  const outputs = await collectOutputs(events);
  if (outputs.some(({ outputType }) => outputType.case === "toolCalls")) {
    return { kind: "failed", error: "The agent asked the client for something, which it cannot do as a tool." };
  }
  const words = outputs.flatMap(({ outputType }) => (outputType.case === "text" ? [outputType.value] : []));
  const sources = outputs.flatMap(({ outputType }) =>
    outputType.case === "citations" ? outputType.value.citedChunks.map(toSource) : [],
  );
  return { kind: "answered", text: words.join("\n"), variables, ...(sources.length > 0 && { sources }) };
}

function toSource({ uri, title, text, requiresAttribution }: Citations_CitedChunk): CitedSource {
  return { uri, title, text, requiresAttribution };
}
