import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { Code, ConnectError, failedPrecondition, invalidArgument, notFound } from "#status";
import type { ConversationHead, TurnRow } from "#storage";
import { type AgentNode, type AppIndex, indexApp } from "./app-index.ts";
import type { SessionEngine, TurnEvent, TurnRequest } from "./contract.ts";
import { appendTurn, type HotSession, HotSessions, historyOf, type PastTurn, type TurnExtra } from "./hot-sessions.ts";
import { readInputs, type TurnInput } from "./inputs.ts";
import { Recorder } from "./recorder.ts";
import { SessionQueue } from "./session-queue.ts";
import { readSessionState, type SessionState, writeSessionState } from "./session-state.ts";
import { Spans } from "./spans.ts";
import { playTurn } from "./turn.ts";
import type { EngineCapabilities, SessionEngineDeps, TurnRun } from "./turn-run.ts";
import { checkTimeZone, Variables } from "./variables.ts";

/** Creates the engine. It keeps nothing that the store does not have, but for a bounded number of sessions kept ready. */
export function createSessionEngine(deps: SessionEngineDeps): SessionEngine {
  const engine: EngineCapabilities = { random: Math.random, maxModelCalls: 10, hotSessions: 1_000, ...deps };
  const queue = new SessionQueue();
  const sessions = new HotSessions(engine.storage, engine.hotSessions);
  return {
    runTurn: (request) => runTurn(request, engine, queue, sessions),
    drained: () => queue.drained(),
  };
}

async function* runTurn(
  request: TurnRequest,
  engine: EngineCapabilities,
  queue: SessionQueue,
  sessions: HotSessions,
): AsyncGenerator<TurnEvent, void> {
  const leave = await queue.enter(request.session, request.signal);
  let stored = false;
  const stop = new AbortController();
  const abort = () => stop.abort(request.signal.reason);
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    const session = await sessions.load(conversationName(request.session));
    const turn = beginTurn(request, engine, session, stop.signal);
    yield* playTurn(turn);
    const completed = await commit(turn, session, sessions);
    stored = true;
    yield completed;
  } finally {
    request.signal.removeEventListener("abort", abort);
    // A turn that failed, or whose reader went away, leaves nothing running behind it.
    if (!stored) stop.abort();
    leave();
  }
}

/** `…/sessions/{id}` has its record in `…/conversations/{id}`. */
function conversationName(session: string): string {
  return session.replace(/\/sessions\/([^/]+)$/, "/conversations/$1");
}

/** Checks the request against the session and makes the turn ready. Nothing is changed before all is known to be sound. */
function beginTurn(
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
  const input = readInputs(request.inputs, index.variableNames);
  checkToolResponses(input, state);
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
    spans: new Spans(engine.clock),
    agent: activeAgent(request, index, session, state),
    entered: [],
    pending: state.pending,
    ended: undefined,
    fallbacks: state.fallbacks,
    passes: 0,
    spoke: false,
  };
}

function initialState({ variableDefaults }: AppIndex): SessionState {
  return { variables: variableDefaults, agent: "", pending: [], fallbacks: 0 };
}

/** Every result must belong to a call that waits for one. */
function checkToolResponses({ toolResponses }: TurnInput, { pending }: SessionState): void {
  const unknown = toolResponses.filter(({ id }) => !pending.some((call) => call.id === id));
  if (unknown.length === 0) return;
  throw invalidArgument(
    unknown.map(({ id }) => ({
      field: "inputs.tool_responses.tool_responses.id",
      description: `no tool call with id '${id}' waits for a response in this session`,
    })),
  );
}

/** Messages that the client hands in at the start of a session stand before its first turn. */
function historicalContexts(messages: readonly Message[]): readonly PastTurn[] {
  return messages.length === 0 ? [] : [{ index: 0, messages, signatures: {} }];
}

/** Who holds the conversation: the entry agent or the root at its start, afterwards whoever held it last (ces-runtime 2.1). */
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

/** Stores the turn, durable, and only then says that it is complete. */
async function commit(turn: TurnRun, session: HotSession | undefined, sessions: HotSessions): Promise<TurnEvent> {
  turn.signal.throwIfAborted();
  const rootSpan = turn.spans.root("Turn", { agent: turn.agent.displayName });
  const { messages, signatures } = turn.recorder;
  const past: PastTurn = { index: turn.turnIndex, messages, signatures };
  const head = nextHead(turn, session);
  const row: TurnRow = {
    index: turn.turnIndex,
    body: toBinary(Conversation_TurnSchema, create(Conversation_TurnSchema, { messages: [...messages], rootSpan })),
    extra: extraOf(turn),
    text: wordsOf(messages),
  };
  try {
    await turn.engine.storage.appendTurn(head, row);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Aborted) sessions.drop(head.name);
    throw error;
  }
  sessions.put({ head, turns: [...turn.pastTurns, past], history: turn.history });
  const withDiagnostics = !turn.request.config.excludeDiagnosticInfo;
  return { kind: "turn-completed", turnIndex: turn.turnIndex, messages, rootSpan, withDiagnostics };
}

function nextHead(turn: TurnRun, session: HotSession | undefined): ConversationHead {
  const { request, index, input } = turn;
  const before = session?.head;
  const state: SessionState = {
    variables: turn.variables.values,
    agent: turn.agent.name,
    pending: turn.ended ? [] : turn.pending,
    fallbacks: turn.fallbacks,
    ...(turn.ended && { ended: turn.ended }),
  };
  return {
    name: conversationName(request.session),
    app: index.app.name,
    startTime: before?.startTime ?? turn.spans.startedAt,
    endTime: turn.engine.clock.now(),
    turnCount: turn.turnIndex,
    source: before?.source ?? request.source,
    inputTypes: [...new Set([...(before?.inputTypes ?? []), ...input.types])],
    entryAgent: before?.entryAgent ?? request.config.entryAgent,
    deployment: request.snapshot.deployment || (before?.deployment ?? ""),
    appVersion: request.snapshot.appVersion || (before?.appVersion ?? ""),
    languageCode: before?.languageCode ?? index.languageCode,
    state: writeSessionState(state),
  };
}

/** What the messages cannot hold; "" when there is nothing. */
function extraOf({ recorder, turnIndex, request }: TurnRun): string {
  const contexts = turnIndex === 1 ? request.config.historicalContexts : [];
  const extra: TurnExtra = {
    ...(Object.keys(recorder.signatures).length > 0 && { signatures: recorder.signatures }),
    ...(contexts.length > 0 && { historicalContexts: contexts.map((message) => toJson(MessageSchema, message)) }),
  };
  return Object.keys(extra).length === 0 ? "" : JSON.stringify(extra);
}

/** The words that were said, for full-text search. */
function wordsOf(messages: readonly Message[]): string {
  return messages
    .flatMap(({ chunks }) =>
      chunks.flatMap(({ data }) => (data.case === "text" || data.case === "transcript" ? [data.value] : [])),
    )
    .join("\n");
}
