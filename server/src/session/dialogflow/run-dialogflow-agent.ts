import { createHash } from "node:crypto";
import type { Agent_RemoteDialogflowAgent as RemoteAgent } from "@frontdesk/protos/ces/agent";
import { type JsonObject, thrownMessage } from "#base";
import type { ModelPart } from "#models";
import { ConnectError } from "#status";
import type { AgentNode } from "../app-index.ts";
import type { TurnEvent } from "../contract.ts";
import { awaitInputCheck, guardResponse } from "../guardrails/guardrails.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { traceTransfer, transferChunk } from "../transfers/transfer-to-agent.ts";
import { countStep } from "../turn/count-step.ts";
import { CUSTOMIZED_RESPONSE } from "../turn/speech-settings.ts";
import type { NextStep, Turn, TurnContext, TurnView } from "../turn/turn-context.ts";
import type { DialogflowAnswer, DialogflowInput, DialogflowMessage } from "./contract.ts";
import { queryInputs, queryParams } from "./dialogflow-query.ts";

/**
 * A Dialogflow agent is active: the user's inputs go to its flow until the flow or its session ends, then its parent
 * goes on in the same turn (TOOL-27). Without a parent the session ends. Of guardrails only the app's own apply.
 */
export async function* runDialogflowAgent(
  turn: Turn,
  agent: AgentNode,
  remote: RemoteAgent,
): AsyncGenerator<TurnEvent, NextStep> {
  const stopped = yield* awaitInputCheck(turn);
  if (stopped) return stopped;
  const { state } = turn;
  let begins = state.dialogflow.visiting !== agent.name;
  state.setDialogflowAgent(agent.name);
  for (const input of queryInputs(turn, begins)) {
    turn.signal.throwIfAborted();
    countStep(turn);
    const answer = await detectIntent(turn, agent, remote, input, begins);
    begins = false;
    const next = yield* handleAnswer(turn, agent, remote, answer);
    if (next) return next;
  }
  return { kind: "respond" };
}

/** One query, with its span. A status error is the app's to handle, like one of a model (`error_handling_settings`). */
async function detectIntent(
  turn: Turn,
  agent: AgentNode,
  remote: RemoteAgent,
  input: DialogflowInput,
  begins: boolean,
): Promise<DialogflowAnswer> {
  const span = turn.spans.start("Dialogflow");
  const session = sessionName(turn, agent, remote);
  const query = {
    session,
    input,
    languageCode: languageOf(turn, remote),
    fallbackLanguage: turn.index.languageCode || "en",
    params: queryParams(turn, remote, begins),
  };
  const attributes = { agent: agent.displayName, session, input: input.kind };
  try {
    turn.state.markActed();
    const answer = await turn.engine.dialogflow.detectIntent(query, turn.signal, turn.index.app.name);
    span.end({ ...attributes, ...answer.trace, ended: answer.ended });
    return answer;
  } catch (error) {
    span.end({ ...attributes, error: thrownMessage(error) });
    if (turn.signal.aborted || !(error instanceof ConnectError)) throw error;
    throw ModelFailure.of(error);
  }
}

/** A session of its own for each agent of each session: Dialogflow takes ids of 36 characters at most. */
function sessionName({ request }: TurnContext, { name }: AgentNode, { agent, environmentId }: RemoteAgent): string {
  const id = createHash("sha256").update(`${request.session}\n${name}`).digest("hex").slice(0, 32);
  return `${agent}${environmentId === "" ? "" : `/environments/${environmentId}`}/sessions/${id}`;
}

function languageOf({ variables }: TurnView, { languageCodeVariable }: RemoteAgent): string | undefined {
  const value = languageCodeVariable === "" ? undefined : variables.values[languageCodeVariable];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Sends the flow's messages and returns the step after them; undefined = the flow continues. */
async function* handleAnswer(
  turn: Turn,
  agent: AgentNode,
  remote: RemoteAgent,
  answer: DialogflowAnswer,
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { messages } = answer;
  for (const message of messages)
    if (message.kind === "left-out") turn.spans.warn(`A message of Dialogflow was left out: ${message.what}.`);
  const parts = messages.flatMap((message) => partOf(message, remote));
  const blocked = yield* guardResponse(turn, parts, { byName: new Map() });
  if (blocked) return blocked;
  const end = messages.map(endOf).find(Boolean);
  if (end || answer.ended) turn.variables.apply({ set: outputVariables(remote, answer.parameters), removed: [] });
  yield* turn.events.respond(parts);
  return end ?? (answer.ended ? yield* leaveFlow(turn, agent) : undefined);
}

function textPart(text: string): ModelPart {
  return { kind: "text", text };
}

function partOf(message: DialogflowMessage, remote: RemoteAgent): readonly ModelPart[] {
  switch (message.kind) {
    case "text":
      return [
        remote.respectResponseInterruptionSettings && message.interruptible
          ? jsonPart(CUSTOMIZED_RESPONSE, { content: message.text, alwaysBargeIn: true })
          : textPart(message.text),
      ];
    case "payload":
      return [jsonPart("application/json", message.payload)];
    default:
      return [];
  }
}

function jsonPart(mimeType: string, value: JsonObject): ModelPart {
  return { kind: "blob", mimeType, data: new TextEncoder().encode(JSON.stringify(value)) };
}

/** A handoff to a person is an end of the session, with metadata that channels know how to read (TOOL-10). */
function endOf(message: DialogflowMessage): NextStep | undefined {
  if (message.kind === "live-agent-handoff")
    return {
      kind: "end-session",
      metadata: { reason: "live agent handoff", session_escalated: true, params: message.metadata },
    };
  if (message.kind !== "call-transfer") return undefined;
  const params = { PHONE_GATEWAY_TRANSFER: { phoneNumber: message.phoneNumber } };
  return { kind: "end-session", metadata: { reason: "call transfer", session_escalated: true, params } };
}

/** The session parameters that the app maps to variables, under their names. */
function outputVariables({ outputVariableMapping }: RemoteAgent, parameters: JsonObject): JsonObject {
  const entries = Object.entries(outputVariableMapping).flatMap(([parameter, variable]) => {
    const value = parameters[parameter];
    return value === undefined ? [] : [[variable, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The flow is over: its parent becomes active. */
function* leaveFlow(turn: Turn, agent: AgentNode): Generator<TurnEvent, NextStep> {
  turn.state.setDialogflowAgent("");
  // As a tool it answers its caller; its parent was not called.
  if (turn.request.callers) return { kind: "respond" };
  const { parent } = agent;
  if (!parent) return { kind: "end-session", metadata: { reason: "the flow has ended", session_escalated: false } };
  traceTransfer(turn.spans, turn.state.agent, parent, { rule: "the flow has ended" });
  yield* turn.events.record(agent.displayName, [transferChunk(parent)]);
  return { kind: "enter-agent", agent: parent };
}
