import { createHash } from "node:crypto";
import type { Agent_RemoteDialogflowAgent as RemoteAgent } from "@frontdesk/protos/ces/agent";
import type { JsonObject } from "#base";
import type { ModelPart } from "#models";
import { ConnectError } from "#status";
import type { AgentNode } from "../app-index.ts";
import type { TurnEvent } from "../contract.ts";
import { guardResponse } from "../guardrails/guard.ts";
import { releaseInput } from "../guardrails/held-input.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { traceTransfer, transferChunk } from "../turn/act-on-output.ts";
import { record, say } from "../turn/events.ts";
import { CUSTOMIZED_RESPONSE } from "../turn/speech-settings.ts";
import { countPass } from "../turn/step.ts";
import type { NextStep, TurnRun } from "../turn/turn-context.ts";
import type { DialogflowAnswer, DialogflowInput, DialogflowMessage } from "./contract.ts";
import { inputsFor } from "./inputs-for.ts";
import { queryParams } from "./query-params.ts";

/**
 * A flow of Dialogflow holds the conversation: what the user says goes there until the flow or its session ends, then its parent
 * goes on in the same turn (TOOL-27). Without a parent the session ends. Only the app's guardrails stand around it.
 */
export async function* visitDialogflow(
  turn: TurnRun,
  agent: AgentNode,
  remote: RemoteAgent,
): AsyncGenerator<TurnEvent, NextStep> {
  const stopped = yield* releaseInput(turn);
  if (stopped) return stopped;
  let begins = turn.dialogflow.visiting !== agent.name;
  turn.dialogflow = { ...turn.dialogflow, visiting: agent.name };
  for (const input of inputsFor(turn, begins)) {
    countPass(turn);
    const answer = await ask(turn, agent, remote, input, begins);
    begins = false;
    const next = yield* hear(turn, agent, remote, answer);
    if (next) return next;
  }
  return { kind: "respond" };
}

/** One query, with its span. A refusal is the app's to handle, like one of a model (`error_handling_settings`). */
async function ask(
  turn: TurnRun,
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
  const told = { agent: agent.displayName, session, input: input.kind };
  try {
    const answer = await turn.engine.dialogflow.detectIntent(query, turn.signal);
    span.end({ ...told, ...answer.trace, ended: answer.ended });
    return answer;
  } catch (error) {
    span.end({ ...told, error: error instanceof Error ? error.message : String(error) });
    if (turn.signal.aborted || !(error instanceof ConnectError)) throw error;
    throw ModelFailure.of(error);
  }
}

/** A session of its own for each agent of each session: Dialogflow takes ids of 36 characters at most. */
function sessionName({ request }: TurnRun, { name }: AgentNode, { agent, environmentId }: RemoteAgent): string {
  const id = createHash("sha256").update(`${request.session}\n${name}`).digest("hex").slice(0, 32);
  return `${agent}${environmentId === "" ? "" : `/environments/${environmentId}`}/sessions/${id}`;
}

function languageOf({ variables }: TurnRun, { languageCodeVariable }: RemoteAgent): string | undefined {
  const value = languageCodeVariable === "" ? undefined : variables.values[languageCodeVariable];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Says what the flow says, and answers what comes after it; undefined = the flow goes on. */
async function* hear(
  turn: TurnRun,
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
  yield* say(turn, parts);
  return end ?? (answer.ended ? yield* leave(turn, agent) : undefined);
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

/** People are reached through the end of the session, whose metadata channels know how to read (TOOL-10). */
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

/** The session parameters that the app wants back, under its own names. */
function outputVariables({ outputVariableMapping }: RemoteAgent, parameters: JsonObject): JsonObject {
  const entries = Object.entries(outputVariableMapping).flatMap(([parameter, variable]) => {
    const value = parameters[parameter];
    return value === undefined ? [] : [[variable, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The flow is over: its parent takes the conversation back. */
async function* leave(turn: TurnRun, agent: AgentNode): AsyncGenerator<TurnEvent, NextStep> {
  turn.dialogflow = { ...turn.dialogflow, visiting: "" };
  // As a tool it answers whoever called it; its parent was not asked.
  if (turn.request.callers) return { kind: "respond" };
  const { parent } = agent;
  if (!parent) return { kind: "end-session", metadata: { reason: "the flow has ended", session_escalated: false } };
  traceTransfer(turn, parent, { rule: "the flow has ended" });
  yield* record(turn, agent.displayName, [transferChunk(parent)]);
  return { kind: "enter-agent", agent: parent };
}
