import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import { typeFault } from "#aip";
import type { JsonObject } from "#base";
import { failedPrecondition, invalidArgument, notFound } from "#status";
import { type AgentNode, type AppIndex, indexApp } from "../app-index.ts";
import { channelOf, channelProfileOf } from "../channel.ts";
import type { TurnRequest } from "../contract.ts";
import { PastCallIds } from "../state/past-call-ids.ts";
import { answerableCalls, newSessionState, readSessionState, type SessionState } from "../state/session-state.ts";
import { SharedList } from "../state/shared-list.ts";
import { appendToHistory, historyOf, type PastTurn, type StoredSession } from "../state/stored-sessions.ts";
import { checkTimeZone, Variables } from "../state/variables.ts";
import { Spans } from "../trace.ts";
import { asSpoken, checkSize, readInputs, type TurnInput } from "./inputs.ts";
import type { EngineCapabilities, Turn } from "./turn-context.ts";
import { TurnEvents } from "./turn-events.ts";
import { TurnState } from "./turn-state.ts";

/** Checks the request against the session and makes the turn ready. Nothing is changed before all checks have passed. */
export async function beginTurn(
  request: TurnRequest,
  engine: EngineCapabilities,
  session: StoredSession | undefined,
  signal: AbortSignal,
): Promise<Turn> {
  const index = await indexApp(request.snapshot.snapshot);
  const before = session ? readSessionState(session.head.state) : newSessionState(index.variableDefaults);
  if (before.ended) {
    throw failedPrecondition("The session has ended. Start a new one with another session id.", {
      reason: "SESSION_ENDED",
    });
  }
  checkTimeZone(request.config.timeZone);
  checkHistory(request.config.historicalContexts);
  const spans = new Spans(engine.clock);
  const input = withExpectedResponses(readTurnInput(request, index, spans), request, before, spans);
  const { timeZone = "" } = index.app.timeZoneSettings ?? {};
  if (timeZone !== index.timeZone)
    spans.warn(`'${timeZone}' of time_zone_settings is no time zone: dates are those of UTC.`);
  if (session) for (const ignored of ignoredOfConfig(request, session)) spans.warn(ignored);
  const turnIndex = (session?.head.turnCount ?? 0) + 1;
  const pastTurns = session?.turns ?? new SharedList(historicalContexts(request.config.historicalContexts));
  const history = historyOf(session, index).fork();
  if (!session) for (const turn of pastTurns) appendToHistory(history, turn);
  const variables = new Variables(before.variables);
  const state = new TurnState(before, activeAgent(request, index, session, before), request.onActed);
  if (index.usesDialogflow) state.addDialogflowParameters(input.unrecognized);
  return {
    request,
    engine: request.models ? { ...engine, models: request.models } : engine,
    index,
    signal,
    turnIndex,
    runId: engine.ids.uuid(),
    sessionId: request.session.slice(request.session.lastIndexOf("/") + 1),
    channel: channelOf(request),
    timeZone: request.config.timeZone || index.timeZone,
    pastTurns,
    pastCallIds: session?.callIds ?? new PastCallIds(),
    input,
    state,
    variables,
    history,
    events: new TurnEvents({ turnIndex, state, variables, history, clock: engine.clock }),
    spans,
  };
}

function readTurnInput(request: TurnRequest, index: AppIndex, spans: Spans): TurnInput {
  const keypad = !channelProfileOf(request)?.disableDtmf;
  if (!keypad && request.inputs.some(({ inputType }) => inputType.case === "dtmf")) {
    spans.warn("The DTMF input was ignored: the channel profile disables DTMF.");
  }
  const read = readInputs(request.inputs, index.variableNames, { keypad });
  // An agent that is called as a tool begins with the variables of its caller, which code may have set without a declaration (TOOL-24).
  const written = request.callers ? { ...read, variables: { ...read.variables, ...read.unrecognized } } : read;
  if (!index.usesDialogflow && !request.callers) warnOfUndeclared(Object.keys(written.unrecognized), spans);
  if (!request.callers) for (const fault of typeFaults(read.variables, index)) spans.warn(fault);
  for (const span of request.voice?.spans ?? []) spans.add(span);
  return request.voice?.spoken ? asSpoken(written) : written;
}

/** How many names of variables the trace has. */
const NAMED_VARIABLES = 20;

/** Values of the client that are not of their variables' types: code and conditions get them as they came, and compare them to others (TURN-71). */
function typeFaults(values: JsonObject, { app }: AppIndex): readonly string[] {
  return app.variableDeclarations
    .flatMap(({ name, schema }) => {
      const value = values[name];
      const fault = value === undefined ? undefined : typeFault(schema, value);
      return fault ? [`The client gave variable '${name}' ${fault}: it is kept as it came.`] : [];
    })
    .slice(0, NAMED_VARIABLES);
}

function warnOfUndeclared(names: readonly string[], spans: Spans): void {
  if (names.length === 0) return;
  const more = names.length > NAMED_VARIABLES ? ` and ${names.length - NAMED_VARIABLES} more` : "";
  const listed = names.slice(0, NAMED_VARIABLES).map((name) => `'${name}'`);
  spans.warn(`The app declares no variable ${listed.join(", ")}${more}: ignored. Declare what clients may set.`);
}

/**
 * Every tool response must belong to a call that waits for one, or that the user did not wait for (TOOL-46), and only one to each (TOOL-14). Others
 * are refused, or left out where a refusal would end a stream.
 */
function withExpectedResponses(input: TurnInput, request: TurnRequest, state: SessionState, spans: Spans): TurnInput {
  const unexpected = unexpectedResponses(request, state);
  if (unexpected.size === 0) return input;
  if (!request.onStream) {
    throw invalidArgument([...unexpected.values()].map(({ field, problem }) => ({ field, description: problem })));
  }
  for (const { problem } of unexpected.values()) spans.warn(`A tool response was left out: ${problem}.`);
  return { ...input, toolResponses: input.toolResponses.filter((response) => !unexpected.has(response)) };
}

/** The responses that nothing waits for, each with its place and what is wrong with it. */
function unexpectedResponses({ inputs }: TurnRequest, state: SessionState) {
  const waiting = new Map(answerableCalls(state).map(({ id }) => [id, false]));
  const unexpected = new Map<ToolResponse, { readonly field: string; readonly problem: string }>();
  for (const [at, { inputType }] of inputs.entries()) {
    if (inputType.case !== "toolResponses") continue;
    for (const [place, response] of inputType.value.toolResponses.entries()) {
      const { id } = response;
      const answered = waiting.get(id);
      if (answered !== undefined) waiting.set(id, true);
      if (answered === false) continue;
      const problem = answered
        ? `the tool call with id '${id}' has a response in this request already`
        : `no tool call with id '${id}' waits for a response in this session`;
      unexpected.set(response, { field: `inputs[${at}].tool_responses.tool_responses[${place}].id`, problem });
    }
  }
  return unexpected;
}

/** A message of another shape (`{author, text}`) reads as one without chunks: hosted sessions reject it too (SESS-5). */
function checkHistory(messages: readonly Message[]): void {
  const texts = messages.flatMap(({ chunks }) => chunks.map(({ data }) => (data.case === "text" ? data.value : "")));
  checkSize("config.historical_contexts", messages, texts);
  const empty = messages.flatMap(({ chunks }, at) => (chunks.length === 0 ? [at] : []));
  if (empty.length === 0) return;
  throw invalidArgument(
    empty.map((at) => ({
      field: `config.historical_contexts[${at}].chunks`,
      description: 'at least one is required, e.g. {"role": "user", "chunks": [{"text": "…"}]}',
    })),
  );
}

/** What only the first turn of a session can use, and this one has otherwise (TURN-66). Clients send a config again with every request. */
function ignoredOfConfig({ config, snapshot }: TurnRequest, { head, turns }: StoredSession): readonly string[] {
  const ignored: string[] = [];
  const differ = (field: string, given: string, begun: string) => {
    if (given === "" || given === begun) return;
    const before = begun === "" ? "without one" : `with '${begun}'`;
    ignored.push(
      `config.${field} was ignored: the session had begun ${before}. Start another session with '${given}'.`,
    );
  };
  differ("entry_agent", config.entryAgent, head.entryAgent);
  const first = turns.at(0);
  const given = first?.index === 0 ? first.messages.length : 0;
  if (config.historicalContexts.length > 0 && config.historicalContexts.length !== given)
    ignored.push("config.historical_contexts was ignored: the session had begun. Start another session with them.");
  differ("deployment", config.deployment, snapshot.deployment);
  return ignored;
}

/** Messages that the client gives at the start of a session come before its first turn. */
function historicalContexts(messages: readonly Message[]): readonly PastTurn[] {
  return messages.length === 0 ? [] : [{ index: 0, messages, signatures: {}, firstEvent: 0 }];
}

/** The active agent: the entry agent or the root in the first turn, afterwards the last active one (TURN-6). */
function activeAgent(
  { config }: TurnRequest,
  index: AppIndex,
  session: StoredSession | undefined,
  state: SessionState,
): AgentNode {
  const last = session && index.agents.get(state.agent);
  if (last) return last;
  const name = (session ? session.head.entryAgent : config.entryAgent) || index.app.rootAgent;
  const agent = index.agents.get(name);
  if (agent) return agent;
  if (config.entryAgent && !session) throw unknownEntryAgent(config.entryAgent, index);
  throw failedPrecondition(
    `App '${index.app.displayName}' has no root agent that could answer. Set root_agent to one of its agents.`,
  );
}

/** NOT_FOUND for an agent that the app does not have, INVALID_ARGUMENT for what is no agent of this app. */
function unknownEntryAgent(name: string, { app }: AppIndex): Error {
  if (name.startsWith(`${app.name}/agents/`)) return notFound(name, "ces.googleapis.com/Agent");
  const description = `'${name}' is not an agent of this app. Use ${app.name}/agents/{agent}.`;
  return invalidArgument({ field: "config.entry_agent", description });
}
