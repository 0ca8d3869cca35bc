import { create } from "@bufbuild/protobuf";
import type { RemoteA2aConfig } from "@frontdesk/protos/ces/agent_card";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { AsyncQueue, definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelPart } from "#models";
import { variableNamed, variableText } from "#outbound";
import { unavailable } from "#status";
import type { RemoteFile, ToolContext, ToolOutcome } from "#tools";
import type { AgentNode } from "../app-index.ts";
import { toolContext } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import { awaitInputCheck, guardResponse } from "../guardrails/guardrails.ts";
import { mayStream, newCallId } from "../model-call/call-model.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { toolOutcomeAttributes } from "../trace.ts";
import { traceTransfer, transferChunk } from "../transfers/transfer-to-agent.ts";
import { countStep } from "../turn/count-step.ts";
import { lastUserText } from "../turn/last-user-text.ts";
import { toResponsePart } from "../turn/responses.ts";
import type { NextStep, Turn } from "../turn/turn-context.ts";

/** An answer, and what of its text the client has already seen. */
interface RemoteAnswer {
  readonly outcome: ToolOutcome;
  readonly streamed: string;
  /** The files that came with their bytes. */
  readonly files: readonly RemoteFile[];
}

/**
 * An agent elsewhere is active (TOOL-42): the user's words go to it by the A2A protocol, and what it answers is this agent's answer. The session
 * stays with it while it waits for input; then its parent is active from the next turn on.
 */
export async function* runRemoteAgent(
  turn: Turn,
  agent: AgentNode,
  config: RemoteA2aConfig,
): AsyncGenerator<TurnEvent, NextStep> {
  const stopped = yield* awaitInputCheck(turn);
  if (stopped) return stopped;
  const request = requestOf(turn, agent);
  if (request === undefined) return { kind: "respond" };
  turn.signal.throwIfAborted();
  countStep(turn);
  const { outcome, streamed, files } = yield* ask(turn, agent, config, request);
  turn.signal.throwIfAborted();
  const { response } = outcome;
  turn.state.rememberRemoteAgent(agent.name, continuationOf(response));
  if (outcome.kind === "failed") throw ModelFailure.of(unavailable(outcome.error, { reason: "REMOTE_AGENT_FAILED" }));
  turn.variables.apply(outcome.state);
  const blocked = yield* respond(turn, response, streamed, files);
  if (blocked) return blocked;
  if (response.state !== "input-required") yield* returnToParent(turn, agent);
  return { kind: "respond" };
}

/** What the user said in this turn; an agent that gets the session without words gets the last ones. */
function requestOf(turn: Turn, { name }: AgentNode): string | undefined {
  const words: string[] = [];
  for (const act of turn.input.acts) {
    if (act.case === "text" || act.case === "dtmf") words.push(act.value);
    else if (act.case === "event") words.push(act.value.event);
    else if (act.case === "image" || act.case === "blob")
      turn.spans.warn(`A remote agent takes no ${act.case}: it was not sent.`);
  }
  if (words.length > 0) return words.join("\n");
  return turn.state.remoteAgents[name]?.state === "input-required" ? undefined : lastUserText(turn);
}

/** Sends the request as a remote agent tool does, with its span, and passes on the text of a stream. */
async function* ask(
  turn: Turn,
  agent: AgentNode,
  config: RemoteA2aConfig,
  request: string,
): AsyncGenerator<TurnEvent, RemoteAnswer> {
  const { engine, spans, variables, state, turnIndex } = turn;
  const call = { id: newCallId(engine.ids), name: agent.displayName, args: { request } };
  const pieces = new AsyncQueue<string>();
  const files: RemoteFile[] = [];
  const context: ToolContext = {
    ...toolContext(turn, variables, call.id),
    lastResponse: () => lastResponse(turn, agent, config),
    remote: {
      streaming: config.streamingEnabled,
      onText: (text) => pieces.push(text),
      onFiles: (received) => files.push(...received),
    },
  };
  const span = spans.start("Remote agent");
  const work = engine.tools.execute(toolOf(agent, config), call, context).finally(() => pieces.end());
  // Awaited below, unless the turn is given up before.
  work.catch(() => undefined);
  const streams = mayStream(turn);
  let streamed = "";
  for await (const text of pieces) {
    if (!streams) continue;
    streamed += text;
    state.markOutput();
    yield { kind: "text-delta", agent: agent.displayName, text, turnIndex };
  }
  const outcome = await work;
  span.end({
    ...{ agent: agent.displayName, request, response: outcome.response },
    ...toolOutcomeAttributes(outcome),
  });
  return { outcome, streamed, files };
}

/** The agent as a tool: both are called alike. Its context is the session's. */
function toolOf({ name, displayName }: AgentNode, config: RemoteA2aConfig): Tool {
  const { agentCard, apiAuthentication, inputVariableMapping, outputVariableMapping } = config;
  const value = {
    ...{ name: displayName, inputVariableMapping, outputVariableMapping, statefulAgent: true },
    ...definedFields({ agentCard, apiAuthentication }),
  };
  return create(ToolSchema, { name, displayName, toolType: { case: "remoteAgentTool", value } });
}

/** Where the conversation with the agent stands; the context that its settings name comes first. */
function lastResponse({ state, variables }: Turn, { name }: AgentNode, { contextId }: RemoteA2aConfig): JsonObject {
  const known = state.remoteAgents[name] ?? {};
  const variable = variableNamed(contextId);
  const given = variable === undefined ? contextId : variableText(variable, variables.values);
  return given ? { ...known, contextId: given } : known;
}

/** What the next message needs. */
function continuationOf({ contextId, taskId, state }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ contextId, taskId, state }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}

/** Sends and records the answer; the step of a guardrail that stopped it, if one did. */
async function* respond(
  turn: Turn,
  response: JsonObject,
  streamed: string,
  files: readonly RemoteFile[],
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const text = typeof response.response === "string" ? response.response : "";
  const parts = [...(text === "" ? [] : [{ kind: "text", text } as const]), ...otherParts(response, files)];
  const blocked = yield* guardResponse(turn, parts, { byName: new Map() });
  if (blocked) return blocked;
  const { events, state, turnIndex } = turn;
  const begun = streamed !== "" && text.startsWith(streamed);
  if (begun && text.length > streamed.length) {
    const rest = text.slice(streamed.length);
    yield { kind: "text-delta", agent: state.agent.displayName, text: rest, turnIndex };
  }
  for (const part of parts) yield* events.part(part, begun && part.kind === "text");
  const chunks = parts.flatMap((part) => toResponsePart(part)?.chunk ?? []);
  yield* events.record(state.agent.displayName, chunks);
  return undefined;
}

/** Data and links to files are payloads for the client; files with their bytes are what they are when an agent of this app sends them (A2A-23). */
function otherParts({ data, files }: JsonObject, received: readonly RemoteFile[]): readonly ModelPart[] {
  const values = Array.isArray(data) ? data : [];
  const links = (Array.isArray(files) ? files : []).flatMap((file): JsonObject[] => {
    if (!isJsonObject(file) || file.url === undefined) return [];
    const { url, mediaType = "", filename = "" } = file;
    return [{ fileData: { mimeType: mediaType, displayName: filename, fileUri: url } }];
  });
  return [...[...values, ...links].map(jsonPart), ...received.map(filePart)];
}

/** A recording is a payload: the output `audio` is what the agent says, in the client's encoding. */
function filePart({ mimeType, filename, data }: RemoteFile): ModelPart {
  if (!mimeType.startsWith("audio/")) return { kind: "blob", mimeType, data };
  return jsonPart({ inlineData: { mimeType, displayName: filename, data: Buffer.from(data).toString("base64") } });
}

function jsonPart(value: JsonValue): ModelPart {
  return { kind: "blob", mimeType: "application/json", data: new TextEncoder().encode(JSON.stringify(value)) };
}

/** The agent has answered: its parent is active in the next turn. As a tool, or without a parent, it stays. */
function* returnToParent(turn: Turn, { parent, displayName }: AgentNode): Generator<TurnEvent, void> {
  if (turn.request.callers || !parent) return;
  traceTransfer(turn.spans, turn.state.agent, parent, { rule: "the remote agent has answered" });
  yield* turn.events.record(displayName, [transferChunk(parent)]);
  turn.state.activate(parent);
}
