import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { JsonObject } from "#base";
import { invalidArgument } from "#status";
import type { CitedSource, Sources } from "#tools";
import type { AgentNode } from "../app-index.ts";
import {
  type DialogflowState,
  endedSessionState,
  type LeftOut,
  type OvertakenCall,
  type PendingCall,
  type RemoteAgentsState,
  type SessionState,
} from "../state/session-state.ts";
import type { PreparedTransferRule } from "../transfers/transfer-rules.ts";
import type { RecordingState } from "./recording-control.ts";

/**
 * The user's input while guardrails that ask a model still judge it (GUARD-5). The agent's own model may be called meanwhile, but nothing
 * of its answer is shown, recorded or called, and no Python of the agent runs, before the input has passed.
 */
interface InputCheck {
  /** The first triggered guardrail in list order; undefined = the input passed. */
  readonly triggered: Promise<Guardrail | undefined>;
  /** Fires when a guardrail has triggered: the answer of the agent's model is of no use any more. */
  readonly blocked: AbortSignal;
  /** Whether the input has passed. */
  readonly passed: () => boolean;
}

/** An input that a guardrail kept from an agent and passed to another one. */
interface BlockedInput {
  readonly guardrail: Guardrail;
  readonly agent: AgentNode;
  readonly target: AgentNode;
}

/** A transfer that a rule has made, with the variables on which it was decided. */
interface RuleTransfer {
  readonly rule: PreparedTransferRule;
  readonly values: JsonObject;
}

const NO_SOURCES: Sources = { cited: [], suggestions: [] };

/** Most calls that the client may answer although nobody waits for it; the oldest are forgotten. */
const MOST_OVERTAKEN = 20;

/**
 * Everything that changes during a turn, and the only place that changes it: a method a transition. It starts as the session's
 * stored state; `sessionState` is what the session has afterwards. A turn that fails is dropped with it.
 */
export class TurnState {
  #agent: AgentNode;
  readonly #agentsRun: AgentNode[] = [];
  readonly #ruleTransfers: RuleTransfer[] = [];
  readonly #judged = new Set<Guardrail>();
  readonly #transferredBy = new Set<string>();
  readonly #blockedInputs: BlockedInput[] = [];
  #inputCheck: InputCheck | undefined;
  #isInputWithheld = false;
  #clientCalls: readonly PendingCall[];
  #overtakenCalls: readonly OvertakenCall[];
  #deferredCalls: readonly PendingCall[];
  readonly #startedCalls: string[] = [];
  readonly #reportedCalls: string[] = [];
  #endMetadata: JsonObject | undefined;
  #fallbacks: number;
  #dialogflow: DialogflowState;
  #remoteAgents: RemoteAgentsState;
  #leftOut: Readonly<Record<string, LeftOut>>;
  #userMessagePosition = 0;
  #modelCalls = 0;
  #hasOutput = false;
  readonly #onActed: () => void;
  #sources = NO_SOURCES;

  /** What the session knew of its recording when the turn began. */
  readonly recording: RecordingState | undefined;

  /** `agent`: who is active when the turn begins. `onActed`: see `TurnRequest`. */
  constructor(before: SessionState, agent: AgentNode, onActed: () => void = () => {}) {
    this.#agent = agent;
    this.#onActed = onActed;
    this.recording = before.recording;
    this.#clientCalls = before.pending;
    this.#overtakenCalls = before.overtaken ?? [];
    this.#deferredCalls = before.deferred;
    this.#fallbacks = before.fallbacks;
    this.#dialogflow = before.dialogflow;
    this.#remoteAgents = before.remoteAgents ?? {};
    this.#leftOut = before.leftOut ?? {};
  }

  /** The active agent. */
  get agent(): AgentNode {
    return this.#agent;
  }

  /** An agent becomes the active one. */
  activate(agent: AgentNode): void {
    this.#agent = agent;
  }

  /** Agents whose model may have been called in this turn, in order: their after_agent callbacks are due at its end. */
  get agentsRun(): readonly AgentNode[] {
    return this.#agentsRun;
  }

  /** The active agent's before_agent callbacks let it go on. */
  runAgent(): void {
    this.#agentsRun.push(this.#agent);
  }

  /** A guardrail stopped the active agent: it counts as not run. */
  withdrawAgent(): void {
    const position = this.#agentsRun.lastIndexOf(this.#agent);
    if (position >= 0) this.#agentsRun.splice(position, 1);
  }

  /** Transfers that rules made in this turn, in order. */
  get ruleTransfers(): readonly RuleTransfer[] {
    return this.#ruleTransfers;
  }

  recordRuleTransfer(transfer: RuleTransfer): void {
    this.#ruleTransfers.push(transfer);
  }

  /** Marks a guardrail as one that has judged this turn's input; false when it was marked before. */
  markJudged(guardrail: Guardrail): boolean {
    if (this.#judged.has(guardrail)) return false;
    this.#judged.add(guardrail);
    return true;
  }

  /** Marks a guardrail as one that has transferred in this turn; false when it was marked before (GUARD-33). */
  markTransferred(guardrail: string): boolean {
    if (this.#transferredBy.has(guardrail)) return false;
    this.#transferredBy.add(guardrail);
    return true;
  }

  /** A guardrail keeps this turn's input from an agent and passes it to another one. */
  passInput(guardrail: Guardrail, agent: AgentNode, target: AgentNode): void {
    this.#blockedInputs.push({ guardrail, agent, target });
  }

  /** Whether a guardrail has passed this turn's input from an agent to another one. */
  get hasPassedInput(): boolean {
    return this.#blockedInputs.length > 0;
  }

  /** The guardrail that keeps this turn's input from an agent (GUARD-2): it did so before, or it is the agent's own and triggered for another one. */
  guardrailAgainst(agent: AgentNode): Guardrail | undefined {
    const { guardrails } = agent.agent;
    return this.#blockedInputs.find(
      ({ guardrail, agent: blocked, target }) =>
        target !== agent && (blocked === agent || guardrails.includes(guardrail.name)),
    )?.guardrail;
  }

  /** Whether a guardrail answered in place of every agent, so that none got this turn's input. */
  get isInputWithheld(): boolean {
    return this.#isInputWithheld;
  }

  withholdInput(): void {
    this.#isInputWithheld = true;
  }

  /** Whether the present step is the first of the turn: no model has got its input yet. */
  get isFirstStep(): boolean {
    return this.#modelCalls <= 1;
  }

  /** The running check of the input; undefined = there is none, the input has passed. */
  get inputCheck(): InputCheck | undefined {
    return this.#inputCheck;
  }

  startInputCheck(check: InputCheck): void {
    this.#inputCheck = check;
  }

  endInputCheck(): void {
    this.#inputCheck = undefined;
  }

  /** Calls that the client has to answer. */
  get clientCalls(): readonly PendingCall[] {
    return this.#clientCalls;
  }

  /** The turn ends with calls that the client has to answer. */
  awaitClient(calls: readonly PendingCall[]): void {
    this.#clientCalls = calls;
  }

  /** The answer that made the pending calls transfers, too: the target is active once they are answered, and they stay those of the present agent (TOOL-53). */
  handOver(target: AgentNode): void {
    this.#clientCalls = this.#clientCalls.map((call) => ({ ...call, agent: this.#agent.name }));
    this.activate(target);
  }

  /** The client's response to a call has been recorded. */
  settleClientCall(call: PendingCall): void {
    this.#clientCalls = this.#clientCalls.filter((one) => one !== call);
  }

  /** The user continued without answering the pending calls. Those of `functions` may still be answered. */
  abandonClientCalls(functions: readonly PendingCall[]): void {
    this.leaveToClient(functions);
    this.#clientCalls = [];
  }

  /** The client may answer these calls, and nobody waits for it. */
  leaveToClient(calls: readonly PendingCall[]): void {
    if (calls.length > 0) this.#overtakenCalls = [...this.#overtakenCalls, ...calls].slice(-MOST_OVERTAKEN);
  }

  /** Calls that the client may answer although nobody waits for it. */
  get overtakenCalls(): readonly OvertakenCall[] {
    return this.#overtakenCalls;
  }

  /** The client answered a call that the user did not wait for. */
  answerOvertaken(id: string, response: JsonObject): void {
    this.#overtakenCalls = this.#overtakenCalls.map((call) => (call.id === id ? { ...call, response } : call));
  }

  /** The response to a call that the user did not wait for has been recorded. */
  settleOvertaken(id: string): void {
    this.#overtakenCalls = this.#overtakenCalls.filter((call) => call.id !== id);
  }

  /** Asynchronous calls whose outcome the session still waits for. */
  get deferredCalls(): readonly PendingCall[] {
    return this.#deferredCalls;
  }

  /** Ids of the asynchronous calls that this turn started: they are stopped when it is not stored. */
  get startedCalls(): readonly string[] {
    return this.#startedCalls;
  }

  /** Ids of the asynchronous calls whose outcome this turn recorded. */
  get reportedCalls(): readonly string[] {
    return this.#reportedCalls;
  }

  deferCall(call: PendingCall): void {
    this.#startedCalls.push(call.id);
    this.#deferredCalls = [...this.#deferredCalls, call];
  }

  /** The outcome of an asynchronous call was recorded. */
  reportCall(id: string): void {
    this.#reportedCalls.push(id);
    this.#deferredCalls = this.#deferredCalls.filter((call) => call.id !== id);
  }

  /** Metadata of the end of the session; undefined until it ends. */
  get endMetadata(): JsonObject | undefined {
    return this.#endMetadata;
  }

  endSession(metadata: JsonObject): void {
    this.#endMetadata = metadata;
  }

  /** Fallback answers given in a row, over turns. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  countFallback(): void {
    this.#fallbacks += 1;
  }

  /** An agent has answered. */
  resetFallbacks(): void {
    this.#fallbacks = 0;
  }

  get dialogflow(): DialogflowState {
    return this.#dialogflow;
  }

  /** A flow of this Dialogflow agent (resource name) is running; "" = none is. */
  setDialogflowAgent(visiting: string): void {
    if (this.#dialogflow.visiting !== visiting) this.#dialogflow = { ...this.#dialogflow, visiting };
  }

  /** Adds variables that the app does not declare to the parameters of its Dialogflow agents. */
  addDialogflowParameters(variables: JsonObject): void {
    if (Object.keys(variables).length === 0) return;
    this.#dialogflow = { ...this.#dialogflow, unrecognized: { ...this.#dialogflow.unrecognized, ...variables } };
  }

  /** Where the conversations with remote agents stand. */
  get remoteAgents(): RemoteAgentsState {
    return this.#remoteAgents;
  }

  /** Keeps what the next message to a remote agent (resource name) needs. */
  rememberRemoteAgent(name: string, continuation: JsonObject): void {
    this.#remoteAgents = { ...this.#remoteAgents, [name]: continuation };
  }

  /** See `SessionState`. */
  get leftOut(): Readonly<Record<string, LeftOut>> {
    return this.#leftOut;
  }

  /** The oldest messages of what an agent's model is given are left out of its calls from now on. */
  leaveOut(reader: string, leftOut: LeftOut): void {
    this.#leftOut = { ...this.#leftOut, [reader]: leftOut };
  }

  /** The whole conversation has fitted the context of an agent's model. */
  leaveNothingOut(reader: string): void {
    const { [reader]: _fits, ...others } = this.#leftOut;
    this.#leftOut = others;
  }

  /** Position of the user's own message among the turn's messages: late results of asynchronous tools may come before it. */
  get userMessagePosition(): number {
    return this.#userMessagePosition;
  }

  beginUserMessage(position: number): void {
    this.#userMessagePosition = position;
  }

  /** Ten model calls a turn are what hosted agents get, in these words (TURN-3). Counted before it is made. */
  countModelCall(most: number): void {
    if (this.#modelCalls === most) {
      const description = `Agent has reached the limit of ${most} reasoning loops for the input.`;
      throw invalidArgument({ field: "", description });
    }
    this.#modelCalls += 1;
  }

  /** Whether the client was given anything in this turn. */
  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  markOutput(): void {
    this.#hasOutput = true;
    this.#onActed();
  }

  /** Something is about to have an effect that outlives the turn, for all that is known. */
  markActed(): void {
    this.#onActed();
  }

  /** What the responses of its tools come from and has not been cited yet. */
  get sources(): Sources {
    return this.#sources;
  }

  /** The same passage is cited once a turn. */
  addSources({ cited, suggestions }: Sources): void {
    if (cited.length === 0 && suggestions.length === 0) return;
    const known = new Set(this.#sources.cited.map(keyOf));
    this.#sources = {
      cited: [...this.#sources.cited, ...cited.filter((source) => !known.has(keyOf(source)))],
      suggestions: [...this.#sources.suggestions, ...suggestions],
    };
  }

  /** The sources were cited, or the answer that used them is not sent. */
  clearSources(): void {
    this.#sources = NO_SOURCES;
  }

  /** What the session has after the turn. `variables`: those that the next turn gets. */
  sessionState(variables: JsonObject): SessionState {
    const state: SessionState = {
      variables,
      agent: this.#agent.name,
      pending: this.#clientCalls,
      deferred: this.#deferredCalls,
      fallbacks: this.#fallbacks,
      dialogflow: this.#dialogflow,
      ...(this.#overtakenCalls.length > 0 && { overtaken: this.#overtakenCalls }),
      ...(Object.keys(this.#remoteAgents).length > 0 && { remoteAgents: this.#remoteAgents }),
      ...(Object.keys(this.#leftOut).length > 0 && { leftOut: this.#leftOut }),
    };
    return this.#endMetadata ? endedSessionState(state, this.#endMetadata) : state;
  }
}

function keyOf({ uri, text }: CitedSource): string {
  return `${uri}\n${text}`;
}
