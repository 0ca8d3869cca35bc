import { create } from "@bufbuild/protobuf";
import { type Part, type Task, TaskSchema, TaskState } from "@frontdesk/protos/a2a/a2a";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { SessionConfigSchema, type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import { type SessionWaits, sessionWaits, type TurnEvent } from "#session";
import { isForLog, toStatusError } from "#status";
import type { PushConfigRow, TaskRow } from "#storage";
import type { A2aDeps } from "../contract.ts";
import { recordedParts } from "../messages/recorded-parts.ts";
import { historyMessage } from "../messages/stored-parts.ts";
import { toInputs } from "../messages/to-inputs.ts";
import { textPart } from "../messages/to-parts.ts";
import { VARIABLES_EXTENSION } from "../messages/variables-extension.ts";
import { applyEvent } from "./apply-event.ts";
import { askedParts, textsOf } from "./asked-parts.ts";
import { askedState, asksForMessage } from "./asked-state.ts";
import { awaitOutcomes } from "./await-outcomes.ts";
import { type ContextSession, contextSessionOf, contextSessionOfConversation } from "./context-session.ts";
import { LiveTask } from "./live-task.ts";
import { storableTask } from "./redact-task.ts";
import { checkSameMessage, taskOfKey } from "./repeated-message.ts";
import {
  CLIENT_ERRORS,
  changedMeanwhile,
  contextEnded,
  LOST,
  MAX_RUNNING,
  MAX_TURN_MS,
  timedOut,
  tooManyTasks,
} from "./task-faults.ts";
import type { TaskFeeds } from "./task-feeds.ts";
import { changedRow, readTask } from "./task-rows.ts";
import { hasEnded } from "./task-state.ts";
import { newRow, type RunningTask, type TaskOrder, type Work } from "./work.ts";

interface TaskRunnerDeps extends A2aDeps {
  readonly feeds: TaskFeeds;
  /** Announcements of a task became due. */
  readonly wakeAnnouncer: () => void;
}

/** Runs the turns of tasks, and stores each change before anybody is told of it. */
export class TaskRunner {
  readonly #deps: TaskRunnerDeps;
  readonly #running = new Map<string, RunningTask>();
  /** By task, while its message is stored: until it is at work. Unkeyed new tasks, which nobody else can name, are left out. */
  readonly #beginning = new Map<string, Promise<RunningTask>>();
  readonly #closing = new AbortController();

  constructor(deps: TaskRunnerDeps) {
    this.#deps = deps;
  }

  /** Ids of the tasks at work. */
  ids(): Iterable<string> {
    return this.#running.keys();
  }

  /** The task at work with this id. */
  get(id: string): RunningTask | undefined {
    return this.#running.get(id);
  }

  /**
   * Begins the turn on a message. What is wrong with the message rejects, and then nothing is stored. With `immediately` the turn may
   * wait for another one of its session, and what is wrong with the message ends the task as rejected.
   */
  async begin(order: TaskOrder): Promise<RunningTask> {
    const { call, before, message } = order;
    if (before) {
      const context = contextSessionOfConversation(before.contextId, before.conversation);
      return this.#beginKnown(order, context, before.id);
    }
    const context = await contextSessionOf(message.contextId, call, this.#deps);
    if (call.key === undefined) return this.#begin(order, context, this.#deps.ids.uuid());
    for (;;) {
      const { id, row } = await taskOfKey(call.key, call, this.#deps);
      if (row) {
        await checkSameMessage(row, message, call, this.#deps);
        return this.known(row);
      }
      const beginning = this.#beginning.get(id);
      if (!beginning) return this.#beginKnown(order, context, id);
      // The message came twice at once: it is one task, unless its first turn did not begin.
      await beginning.catch(() => undefined);
    }
  }

  /** A task that had its message before: as it is at work here, or as it is stored. */
  async known(row: TaskRow): Promise<RunningTask> {
    // It is stored a moment before it is at work.
    await this.#beginning.get(row.id)?.catch(() => undefined);
    const running = this.#running.get(row.id);
    if (running) return running;
    // It may have ended here since the row was read.
    const now = (await this.#deps.store.get(row.id)) ?? row;
    return {
      live: this.#live(readTask(now)),
      asksForMessage: () => false,
      done: Promise.resolve(),
      cancel: () => undefined,
    };
  }

  async #beginKnown(order: TaskOrder, context: ContextSession, id: string): Promise<RunningTask> {
    const beginning = this.#begin(order, context, id);
    this.#beginning.set(id, beginning);
    try {
      return await beginning;
    } finally {
      if (this.#beginning.get(id) === beginning) this.#beginning.delete(id);
    }
  }

  async #begin(order: TaskOrder, context: ContextSession, id: string): Promise<RunningTask> {
    const { call, before, message, request } = order;
    if (this.#running.size >= MAX_RUNNING) throw tooManyTasks();
    const waits = await this.#waits(context);
    if (waits.ended) throw contextEnded(context.contextId);
    const snapshot = await call.agent.snapshot(context.session);
    const variables = new Set(snapshot.snapshot.app?.variableDeclarations.map(({ name }) => name));
    const addressed = {
      message,
      requestMetadata: request.metadata as JsonObject,
      contextId: context.contextId,
      taskId: id,
    };
    const inputs = toInputs(addressed, { variables, answerableCalls: waits.answerable });
    const work: Work = {
      live: this.#live(
        before ? readTask(before) : create(TaskSchema, { id, contextId: context.contextId }),
        request.configuration?.acceptedOutputModes,
      ),
      context,
      snapshot,
      agent: call.agent,
      stop: new AbortController(),
      showVariables: call.extensions.has(VARIABLES_EXTENSION),
      traceparent: call.traceparent,
      sender: call.sender,
      streamText: order.streamText,
      row: before ?? newRow(id, context, call, this.#deps.clock.now()),
      variables: {},
      cancelled: false,
      asksForMessage: false,
    };
    const events = this.#turn(work, inputs);
    const first = order.immediately ? undefined : await this.#firstEvent(events, work, call.signal);
    try {
      await this.#receive(work, order, first !== undefined);
    } catch (error) {
      work.stop.abort();
      await events.return();
      throw error;
    }
    return this.#start(work, events, first);
  }

  /** Ends a task that nothing works on. False when it has changed meanwhile. */
  async endResting(row: TaskRow, state: TaskState, text: string): Promise<Task | undefined> {
    const live = this.#live(readTask(row));
    live.setStatus(state, [textPart(text)]);
    const stored = await this.#deps.store.replace(changedRow(row, live.snapshot()), this.#deps.clock.now());
    if (!stored) return undefined;
    this.#publishStatus(live);
    return live.snapshot();
  }

  /** Settles a task whose server stopped while it worked: by the turn that was stored, or as failed (A2A-16). */
  async recover(row: TaskRow): Promise<void> {
    const { conversations, agentOf } = this.#deps;
    const turn = await conversations.getTurn(row.conversation, row.turn);
    const waits = sessionWaits(await conversations.getHead(row.conversation));
    if (!turn && waits.deferredCalls === 0) {
      await this.endResting(row, TaskState.FAILED, LOST);
      return;
    }
    const context = contextSessionOfConversation(row.contextId, row.conversation);
    const agent = await agentOf(row.tenant);
    const snapshot = await agent.snapshot(context.session);
    const live = this.#live(readTask(row));
    live.beginTurn(row.turn);
    if (turn) live.addParts(recordedParts(turn), false);
    const work: Work = {
      ...{ live, context, snapshot, agent, row, stop: new AbortController() },
      ...{
        showVariables: false,
        traceparent: undefined,
        sender: undefined,
        streamText: false,
        variables: {},
        cancelled: false,
        asksForMessage: false,
      },
    };
    this.#run(work, async () => {
      // Asynchronous calls of the last server are lost, which a turn reports to the agent (TOOL-17).
      if (waits.deferredCalls > 0) await this.#goOn(work, [create(SessionInputSchema, { inputType: NO_VARIABLES })]);
      await this.#settle(work);
    });
  }

  /** Waits until no task is at work; tasks that wait for asynchronous tools stay as they are, for the next server. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  #live(task: Task, accepted: readonly string[] = []): LiveTask {
    const { clock, ids, feeds } = this.#deps;
    return new LiveTask(task, { clock, ids, accepted, publish: (event) => feeds.publish(task.id, event) });
  }

  async #waits({ conversation }: ContextSession): Promise<SessionWaits> {
    return sessionWaits(await this.#deps.conversations.getHead(conversation));
  }

  #turn({ context, snapshot, stop, traceparent, sender, streamText }: Work, inputs: readonly SessionInput[]) {
    return this.#deps.sessions.runTurn({
      session: context.session,
      config: create(SessionConfigSchema, { session: context.session, deployment: snapshot.deployment }),
      inputs,
      snapshot,
      sender,
      source: Conversation_Source.LIVE,
      awaitsClient: true,
      traceparent,
      streamText,
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(MAX_TURN_MS)]),
    });
  }

  /** The first event, which comes when all checks of the turn have passed. A caller that leaves before gives the turn up. */
  async #firstEvent(
    events: AsyncGenerator<TurnEvent, void>,
    { stop }: Work,
    signal: AbortSignal,
  ): Promise<IteratorResult<TurnEvent, void>> {
    const leave = () => stop.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      signal.throwIfAborted();
      return await events.next();
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The message is part of the task from here on. */
  async #receive(work: Work, { message, before, announce }: TaskOrder, begun: boolean): Promise<void> {
    const { live, context } = work;
    const { store } = this.#deps;
    live.receive(historyMessage(message, context.contextId, live.id));
    await this.#advance(work, begun ? TaskState.WORKING : TaskState.SUBMITTED);
    const config = announce?.(live.id);
    if (!before) return this.#create(work.row, config);
    if (this.#running.has(before.id) || !(await store.replace(work.row))) throw changedMeanwhile(before.id);
    if (config) await store.putConfig(config);
  }

  /** ABORTED when another server has begun the task of the same message meanwhile. */
  async #create(row: TaskRow, config: PushConfigRow | undefined): Promise<void> {
    const { store } = this.#deps;
    await store.create(row, config).catch(async (error: unknown) => {
      throw (await store.get(row.id)) ? changedMeanwhile(row.id) : error;
    });
  }

  /** The row for the next turn. */
  async #advance(work: Work, state: TaskState): Promise<void> {
    const { live, context, row, snapshot } = work;
    const head = await this.#deps.conversations.getHead(context.conversation);
    const turn = state === TaskState.SUBMITTED ? 0 : (head?.turnCount ?? 0) + 1;
    live.setStatus(state);
    live.beginTurn(turn);
    const task = await storableTask(live.snapshot(), snapshot.snapshot, this.#deps.redaction);
    work.row = { ...changedRow(row, task), turn };
  }

  #start(
    work: Work,
    events: AsyncGenerator<TurnEvent, void>,
    first: IteratorResult<TurnEvent, void> | undefined,
  ): RunningTask {
    return this.#run(work, async () => {
      let next = first ?? (await events.next());
      if (!first) await this.#begun(work);
      for (; !next.done; next = await events.next()) this.#apply(work, next.value);
      await this.#settle(work);
    });
  }

  #run(work: Work, steps: () => Promise<void>): RunningTask {
    const { live } = work;
    const done = steps()
      .catch((error: unknown) => this.#fail(work, error))
      .finally(() => this.#running.delete(live.id));
    const running: RunningTask = {
      live,
      asksForMessage: () => work.asksForMessage,
      done,
      cancel: () => {
        work.cancelled = true;
        work.stop.abort();
      },
    };
    this.#running.set(live.id, running);
    done.catch((error: unknown) =>
      this.#deps.logger.error({ err: error, task: live.id }, "a task could not be stored"),
    );
    return running;
  }

  /** A turn that had to wait has begun. */
  async #begun(work: Work): Promise<void> {
    await this.#storeProgress(work);
    work.live.publishStatus();
  }

  #apply(work: Work, event: TurnEvent): void {
    work.variables = { ...work.variables, ...applyEvent(work.live, event) };
  }

  /** The turn is stored: the task ends, or waits for its client, or for what runs on. */
  async #settle(work: Work): Promise<void> {
    const waits = await this.#waits(work.context);
    if (waits.clientCalls.length > 0) {
      return this.#rest(work, TaskState.INPUT_REQUIRED, askedParts(work.live.answerParts, waits.clientCalls));
    }
    if (waits.deferredCalls === 0) return this.#restAsAsked(work, waits.variables);
    await this.#storeProgress(work);
    const { sessions, conversations } = this.#deps;
    const signal = AbortSignal.any([work.stop.signal, this.#closing.signal]);
    const inputs = await awaitOutcomes(work.context, { sessions, conversations, signal });
    if (inputs) await this.#goOn(work, inputs);
    await this.#settle(work);
  }

  #restAsAsked(work: Work, variables: JsonObject): Promise<void> {
    const state = askedState(variables);
    work.asksForMessage = asksForMessage(variables);
    return this.#rest(work, state, state === TaskState.COMPLETED ? [] : textsOf(work.live.answerParts));
  }

  /** What was said so far is kept, should the server stop before the rest. */
  async #storeProgress(work: Work): Promise<void> {
    await this.#advance(work, TaskState.WORKING);
    await this.#replace(work);
  }

  /** A turn that no client began. */
  async #goOn(work: Work, inputs: readonly SessionInput[]): Promise<void> {
    await this.#storeProgress(work);
    for await (const event of this.#turn(work, inputs)) this.#apply(work, event);
  }

  /** Undone turns leave the task as failed, cancelled, or rejected when it never began. */
  async #fail(work: Work, error: unknown): Promise<void> {
    if (this.#closing.signal.aborted && !work.stop.signal.aborted) return;
    if (work.cancelled) return this.#rest(work, TaskState.CANCELED, [textPart("The task was canceled.")]);
    const status = timedOut(error) ?? toStatusError(error);
    if (isForLog(status)) this.#deps.logger.error({ err: status.cause ?? error, task: work.live.id }, "a task failed");
    const isRefused = work.live.state === TaskState.SUBMITTED && CLIENT_ERRORS.has(status.code);
    return this.#rest(work, isRefused ? TaskState.REJECTED : TaskState.FAILED, [textPart(status.rawMessage)]);
  }

  async #rest(work: Work, state: TaskState, parts: readonly Part[] = []): Promise<void> {
    const { live, showVariables, variables, row, snapshot } = work;
    if (showVariables) live.addMetadata({ [VARIABLES_EXTENSION]: variables });
    live.setStatus(state, parts);
    work.row = changedRow(row, await storableTask(live.snapshot(), snapshot.snapshot, this.#deps.redaction));
    await this.#replace(work);
    this.#publishStatus(live);
  }

  async #replace({ row }: Work): Promise<void> {
    const { store, feeds, clock, logger, wakeAnnouncer } = this.#deps;
    const stored = await store.replace(row, clock.now());
    if (stored) feeds.stored(row.id, row.version);
    else logger.debug({ task: row.id }, "a task was removed while it was worked on");
    wakeAnnouncer();
  }

  #publishStatus(live: LiveTask): void {
    live.publishStatus();
    if (hasEnded(live.state)) this.#deps.feeds.end(live.id);
    this.#deps.wakeAnnouncer();
  }
}

/** An input without content. */
const NO_VARIABLES = { case: "variables" as const, value: {} };
