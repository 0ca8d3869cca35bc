import { definedFields, type JsonObject, parseJson, writeJson } from "#base";
import type { RecordingState } from "../turn/recording-control.ts";

/** A tool call whose response the session waits for. */
export interface PendingCall {
  readonly id: string;
  /** Name under which the model called it. */
  readonly name: string;
  /** Resource name of the tool. */
  readonly tool: string;
  readonly args: JsonObject;
  /** The process that an asynchronous call runs in. */
  readonly server?: string;
  /** Resource name of the agent that made it. Absent: the active one. */
  readonly agent?: string;
}

/** A call that the client had not answered when the user went on, and its response where that came since and is not recorded yet. */
export interface OvertakenCall extends PendingCall {
  readonly response?: JsonObject;
}

/** What a session stores for the Dialogflow agents of its app. */
export interface DialogflowState {
  /** Resource name of the agent whose flow is running; "" for none. */
  readonly visiting: string;
  /** Variables of clients that the app does not declare: Dialogflow gets them as session parameters (TOOL-28). */
  readonly unrecognized: JsonObject;
}

/** What the next message to each remote agent needs (`contextId`, `taskId`, `state`), by resource name of the agent. */
export type RemoteAgentsState = Readonly<Record<string, JsonObject>>;

const NO_DIALOGFLOW_STATE: DialogflowState = { visiting: "", unrecognized: {} };

/** How many of the oldest messages did not fit the context of a model, and when that was found out. */
export interface LeftOut {
  readonly messages: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What the next turn needs beside the messages: stored as JSON in `ConversationHead.state`. */
export interface SessionState {
  readonly variables: JsonObject;
  /** Resource name of the active agent. */
  readonly agent: string;
  /** Calls that the client has to answer. */
  readonly pending: readonly PendingCall[];
  /** Calls of client functions that the user did not wait for; the client may still answer (TOOL-46). Absent when there are none. */
  readonly overtaken?: readonly OvertakenCall[];
  /** Asynchronous calls that continued after their turn and whose outcome no turn has recorded yet. */
  readonly deferred: readonly PendingCall[];
  /** Metadata of the end; undefined while the session is open. */
  readonly ended?: JsonObject;
  /** Fallback answers given in a row. */
  readonly fallbacks: number;
  readonly dialogflow: DialogflowState;
  /** Absent while no remote agent was called. */
  readonly remoteAgents?: RemoteAgentsState;
  /** What did not fit the context of an agent's model, by agent and model (TURN-49). Absent while all did. */
  readonly leftOut?: Readonly<Record<string, LeftOut>>;
  /** Absent while the app asks for no consent and the client says nothing of it. */
  readonly recording?: RecordingState;
}

/** The state of a session that had no turn yet. */
export function newSessionState(variables: JsonObject): SessionState {
  return { variables, agent: "", pending: [], deferred: [], fallbacks: 0, dialogflow: NO_DIALOGFLOW_STATE };
}

/** The state of a session that is over: nothing is left to wait for. */
export function endedSessionState(last: SessionState, ended: JsonObject): SessionState {
  const { overtaken: _overtaken, ...rest } = last;
  return { ...rest, pending: [], deferred: [], dialogflow: NO_DIALOGFLOW_STATE, ended };
}

/** The state as stored. */
export function writeSessionState(state: SessionState): string {
  const { dialogflow, ...most } = state;
  return writeJson({ version: 1, ...most, ...(dialogflow !== NO_DIALOGFLOW_STATE && { dialogflow }) });
}

/** Reads what `writeSessionState` wrote. Throws for anything else: guessing would lose a conversation. */
export function readSessionState(text: string): SessionState {
  // Only this file writes the column, so its shape is known once the version is.
  const stored = parseJson(text) as unknown as { readonly version?: unknown } & SessionState;
  if (stored.version !== 1) throw new Error(`session state of version ${String(stored.version)} cannot be read`);
  const { variables, agent, pending, deferred = [], ended, fallbacks, dialogflow = NO_DIALOGFLOW_STATE } = stored;
  const { recording, remoteAgents, overtaken, leftOut } = stored;
  const rest = definedFields({ ended, recording, remoteAgents, overtaken, leftOut });
  return { variables, agent, pending, deferred, fallbacks, dialogflow, ...rest };
}

/** The calls that the client may answer: those that wait, and those that the user did not wait for and that have no response yet (TOOL-46). */
export function answerableCalls({ pending, overtaken = [] }: SessionState): readonly PendingCall[] {
  return [...pending, ...overtaken.filter(({ response }) => response === undefined)];
}

/** `…/sessions/{id}` has its record in `…/conversations/{id}`. */
export function conversationName(session: string): string {
  const id = session.lastIndexOf("/") + 1;
  return `${session.slice(0, id - "sessions/".length)}conversations/${session.slice(id)}`;
}

/** What a stored session waits for, for those who answer in its place. */
export interface SessionWaits {
  readonly ended: boolean;
  /** Calls that the client has to answer. */
  readonly clientCalls: readonly PendingCall[];
  /** Ids of the calls that the client may answer: those, and those that the user did not wait for (TOOL-46). */
  readonly answerable: ReadonlySet<string>;
  /** Number of asynchronous calls whose outcome no turn has recorded yet. */
  readonly deferredCalls: number;
  /** Its variables. */
  readonly variables: JsonObject;
}

/** What a session waits for after its last turn; nothing for one without turns. */
export function sessionWaits(head: { readonly state: string } | undefined): SessionWaits {
  if (!head) return { ended: false, clientCalls: [], answerable: new Set(), deferredCalls: 0, variables: {} };
  const state = readSessionState(head.state);
  const { ended, pending, deferred, variables } = state;
  const answerable = new Set(answerableCalls(state).map(({ id }) => id));
  return { ended: ended !== undefined, clientCalls: pending, answerable, deferredCalls: deferred.length, variables };
}
