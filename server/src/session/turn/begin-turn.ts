import type { Message } from "@frontdesk/protos/ces/example";
import { failedPrecondition, invalidArgument, notFound } from "#status";
import { type AgentNode, type AppIndex, indexApp } from "../app-index.ts";
import { channelProfileOf } from "../channel.ts";
import type { TurnRequest } from "../contract.ts";
import { NO_VISIT, withInputs } from "../dialogflow/dialogflow-state.ts";
import { Spans } from "../spans.ts";
import { appendTurn, type HotSession, historyOf, type PastTurn } from "../state/session-cache.ts";
import { readSessionState, type SessionState } from "../state/session-state.ts";
import { checkTimeZone, Variables } from "../state/variables.ts";
import { NO_SOURCES } from "./cite-sources.ts";
import { readInputs } from "./inputs.ts";
import { Recorder } from "./recorder.ts";
import type { EngineCapabilities, TurnRun } from "./turn-context.ts";
import { asSpoken } from "./voice-turn.ts";

/** Checks the request against the session and makes the turn ready. Nothing is changed before all is known to be sound. */
export function beginTurn(
  request: TurnRequest,
  engine: EngineCapabilities,
  session: HotSession | undefined,
  signal: AbortSignal,
): TurnRun {
  const index = indexApp(request.snapshot.snapshot);
  const state = session ? readSessionState(session.head.state) : initialState(index);
  if (state.ended) {
    throw failedPrecondition("The session has ended. Start a new one with another session id.", {
      reason: "SESSION_ENDED",
    });
  }
  checkTimeZone(request.config.timeZone);
  checkHistory(request.config.historicalContexts);
  const spans = new Spans(engine.clock);
  const keypad = !channelProfileOf(request)?.disableDtmf;
  if (!keypad && request.inputs.some(({ inputType }) => inputType.case === "dtmf")) {
    spans.warn("The keys were not heard: the channel profile disables DTMF.");
  }
  const written = readInputs(request.inputs, index.variableNames, { keypad });
  const input = request.voice?.spoken ? asSpoken(written) : written;
  for (const span of request.voice?.spans ?? []) spans.add(span);
  checkToolResponses(request, state);
  const pastTurns = session?.turns ?? historicalContexts(request.config.historicalContexts);
  const turnIndex = (session?.head.turnCount ?? 0) + 1;
  const past = historyOf(session, index);
  const history = past.fork();
  if (!session) for (const turn of pastTurns) appendTurn(history, turn);
  return {
    request,
    engine,
    index,
    signal,
    turnIndex,
    sessionId: request.session.slice(request.session.lastIndexOf("/") + 1),
    pastTurns,
    input,
    variables: new Variables(state.variables),
    history,
    recorder: new Recorder(turnIndex, history, engine.clock),
    spans,
    agent: activeAgent(request, index, session, state),
    entered: [],
    handovers: [],
    judged: new Set(),
    held: undefined,
    pending: state.pending,
    deferred: state.deferred,
    started: [],
    told: [],
    ended: undefined,
    fallbacks: state.fallbacks,
    dialogflow: withInputs(state.dialogflow, input, index.usesDialogflow),
    userMessage: 0,
    passes: 0,
    spoke: false,
    sources: NO_SOURCES,
  };
}

function initialState({ variableDefaults }: AppIndex): SessionState {
  return { variables: variableDefaults, agent: "", pending: [], deferred: [], fallbacks: 0, dialogflow: NO_VISIT };
}

/** Every result must belong to a call that waits for one, and answer it once (TOOL-14). */
function checkToolResponses({ inputs }: TurnRequest, { pending }: SessionState): void {
  const waiting = new Map(pending.map(({ id }) => [id, false]));
  const violations = inputs.flatMap(({ inputType }, at) =>
    inputType.case !== "toolResponses"
      ? []
      : inputType.value.toolResponses.flatMap(({ id }, place) => {
          const answered = waiting.get(id);
          if (answered !== undefined) waiting.set(id, true);
          if (answered === false) return [];
          const description = answered
            ? `the tool call with id '${id}' has a response in this request already`
            : `no tool call with id '${id}' waits for a response in this session`;
          return [{ field: `inputs[${at}].tool_responses.tool_responses[${place}].id`, description }];
        }),
  );
  if (violations.length > 0) throw invalidArgument(violations);
}

/** A message of another shape (`{author, text}`) reads as one that says nothing: hosted sessions refuse it too (SESS-5). */
function checkHistory(messages: readonly Message[]): void {
  const empty = messages.flatMap(({ chunks }, at) => (chunks.length === 0 ? [at] : []));
  if (empty.length === 0) return;
  throw invalidArgument(
    empty.map((at) => ({
      field: `config.historical_contexts[${at}].chunks`,
      description: 'at least one is required, e.g. {"role": "user", "chunks": [{"text": "…"}]}',
    })),
  );
}

/** Messages that the client hands in at the start of a session stand before its first turn. */
function historicalContexts(messages: readonly Message[]): readonly PastTurn[] {
  return messages.length === 0 ? [] : [{ index: 0, messages, signatures: {} }];
}

/** Who holds the conversation: the entry agent or the root at its start, afterwards whoever held it last (TURN-6). */
function activeAgent(
  { config }: TurnRequest,
  index: AppIndex,
  session: HotSession | undefined,
  state: SessionState,
): AgentNode {
  const holder = session && index.agents.get(state.agent);
  if (holder) return holder;
  const wanted = (session ? session.head.entryAgent : config.entryAgent) || index.app.rootAgent;
  const agent = index.agents.get(wanted);
  if (agent) return agent;
  if (config.entryAgent && !session) throw notFound(config.entryAgent, "ces.googleapis.com/Agent");
  throw failedPrecondition(
    `App '${index.app.displayName}' has no root agent that could answer. Set root_agent to one of its agents.`,
  );
}
