import { setTimeout as pause } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { LRUCache } from "lru-cache";
import { shareOfHeap, writeJson } from "#base";
import { type ToolOutcome, toolFailure } from "#tools";
import type { Unprompted } from "../contract.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { SharedOutcomes } from "./shared-outcomes.ts";

/** Most calls that have ended and were not reported, over all sessions, and the share of the heap for their outcomes as JSON (TOOL-39, TOOL-64). */
const MOST_ENDED = 10_000;
const SHARE_OF_HEAP = 1 / 24;

/** The outcome of a call whose server stopped before it ended. Nobody knows how far it came, so it is not begun again here (TOOL-65). */
export const LOST: ToolOutcome = toolFailure(
  "The server stopped before the call ended, so its result is lost. Whether it had an effect is not known: find that out before you call it again.",
);

/** How often calls that run on other servers are looked at, milliseconds. Their ends are announced; this is for servers that go without a word. */
const LOOK_EVERY_MS = 5_000;

interface DeferredCallsOptions {
  /** Where outcomes outlive this process. Default: nowhere. */
  readonly shared?: SharedOutcomes;
  /** The calls whose outcomes a session waits for, as stored. Default: none. */
  readonly waitingCalls?: (session: string) => Promise<readonly PendingCall[]>;
  /** Of outcomes in memory. */
  readonly mostBytes?: number;
}

interface RunningCall {
  readonly session: string;
  readonly id: string;
  readonly stop: AbortController;
}

/** A call that has ended while its session continues. */
interface EndedCall {
  readonly session: string;
  readonly outcome: ToolOutcome;
  /** Whether an open stream was given the outcome. */
  announced: boolean;
}

/**
 * Asynchronous tool calls that turns have left running (TOOL-17). The sessions' own state lists the calls that they wait
 * for; only the running work is here, so that a call whose server stopped is reported as lost instead of pending for ever. Outcomes are stored until
 * a turn reports them, because another server, or this one after a restart, may run that turn.
 */
export class DeferredCalls implements Unprompted {
  readonly #running = new Map<string, RunningCall>();
  /** The one that ended first is dropped first. */
  readonly #ended: LRUCache<string, EndedCall>;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #shared: SharedOutcomes | undefined;
  readonly #waitingCalls: (session: string) => Promise<readonly PendingCall[]>;
  /** Sessions that somebody here waits for, and that have an outcome of another server, or of an earlier stream, which no turn was begun for. */
  readonly #elsewhere = new Set<string>();
  /** Outcomes that are being stored. */
  readonly #storing = new Set<Promise<void>>();
  /** Called when no call runs and all outcomes are stored. */
  #idle: (() => void)[] = [];

  constructor({
    shared,
    waitingCalls = async () => [],
    mostBytes = shareOfHeap(SHARE_OF_HEAP),
  }: DeferredCallsOptions = {}) {
    this.#shared = shared;
    this.#waitingCalls = waitingCalls;
    this.#ended = new LRUCache({ max: MOST_ENDED, maxSize: mostBytes });
    shared?.onPut((session) => {
      if (!this.#listeners.has(session)) return;
      this.#elsewhere.add(session);
      this.#wake(session);
    });
  }

  /** The process that a call which begins now runs in; undefined where outcomes do not outlive it. */
  get server(): string | undefined {
    return this.#shared?.server;
  }

  /** Adds running work. `id` is the call's; `stop` ends it. The work never rejects. */
  start(session: string, id: string, stop: AbortController, work: Promise<ToolOutcome>): void {
    const key = keyOf(session, id);
    this.#running.set(key, { session, id, stop });
    void work.then((outcome) => {
      // Forgotten meanwhile: nobody asks for it.
      if (this.#running.get(key)?.stop === stop) {
        this.#running.delete(key);
        this.#keep(session, id, outcome);
      }
      this.#wake(session);
      this.#tellIfIdle();
    });
  }

  /** Resolves when no call runs, and the outcomes of those that did are stored. */
  async drained(): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Stops the calls that still run, and stores that they did not end: whoever waits for them learns of it at once. Returns how many. */
  async close(): Promise<number> {
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const { session, id, stop } of running) {
      stop.abort();
      this.#store(session, id, LOST);
    }
    await Promise.all(this.#storing);
    return running.length;
  }

  /** How a call ended; `running` until it ends, `lost` when its server has stopped. */
  async outcomeOf(session: string, { id, server }: PendingCall): Promise<ToolOutcome | "running" | "lost"> {
    const key = keyOf(session, id);
    if (this.#running.has(key)) return "running";
    const ended = this.#ended.peek(key);
    if (ended) return ended.outcome;
    return this.#shared && server !== undefined ? this.#shared.outcomeOf(session, id, server) : "lost";
  }

  /** Drops a call, and stops it when it still runs: its outcome was reported, or is not needed any more. */
  forget(session: string, id: string): void {
    const key = keyOf(session, id);
    this.#running.get(key)?.stop.abort();
    this.#running.delete(key);
    this.#ended.delete(key);
    this.#tellIfIdle();
    void this.#shared?.remove(session, id);
  }

  async follow(session: string, signal: AbortSignal): Promise<void> {
    const told = new Set<string>();
    if (await this.#look(session, told, signal)) void this.#lookAgain(session, told, signal);
  }

  subscribe(session: string, wake: () => void): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(wake));
    return () => {
      listeners.delete(wake);
      if (listeners.size > 0 || this.#listeners.get(session) !== listeners) return;
      this.#listeners.delete(session);
      this.#elsewhere.delete(session);
    };
  }

  /** An input without content: the turn that it starts records all outcomes. Once for each outcome. */
  take(session: string): readonly SessionInput[] | undefined {
    const ended = [...this.#ended.values()].filter((call) => call.session === session && !call.announced);
    const isElsewhere = this.#elsewhere.delete(session);
    if (ended.length === 0 && !isElsewhere) return undefined;
    for (const call of ended) call.announced = true;
    return [create(SessionInputSchema, { inputType: { case: "variables", value: {} } })];
  }

  async #lookAgain(session: string, told: Set<string>, signal: AbortSignal): Promise<void> {
    do {
      await pause(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      // Without an answer the call may still run. The database's outage is logged where it is noticed.
    } while (await this.#look(session, told, signal).catch(() => true));
  }

  /** Tells of calls that have ended and that `told` lacks. Whether calls run on other servers. */
  async #look(session: string, told: Set<string>, signal: AbortSignal): Promise<boolean> {
    const calls = (await this.#waitingCalls(session)).filter(({ id }) => !this.#running.has(keyOf(session, id)));
    const outcomes = await Promise.all(calls.map((call) => this.outcomeOf(session, call)));
    if (signal.aborted) return false;
    const ended = calls.filter(({ id }, index) => outcomes[index] !== "running" && !told.has(id));
    for (const { id } of ended) told.add(id);
    if (ended.length > 0) {
      this.#elsewhere.add(session);
      this.#wake(session);
    }
    return outcomes.includes("running");
  }

  #keep(session: string, id: string, outcome: ToolOutcome): void {
    const size = writeJson(outcome).length;
    const most = this.#ended.maxSize;
    if (size > most) {
      const why = `The result has ${size} characters, and there is room for ${most}. Let the tool return less.`;
      this.#keep(session, id, toolFailure(why));
      return;
    }
    this.#ended.set(keyOf(session, id), { session, outcome, announced: false }, { size });
    this.#store(session, id, outcome);
  }

  #store(session: string, id: string, outcome: ToolOutcome): void {
    if (!this.#shared) return;
    const stored = this.#shared.put(session, id, outcome).finally(() => {
      this.#storing.delete(stored);
      this.#tellIfIdle();
    });
    this.#storing.add(stored);
  }

  #isIdle(): boolean {
    return this.#running.size === 0 && this.#storing.size === 0;
  }

  #tellIfIdle(): void {
    if (!this.#isIdle()) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const wake of idle) wake();
  }

  #wake(session: string): void {
    for (const wake of this.#listeners.get(session) ?? []) wake();
  }
}

function keyOf(session: string, id: string): string {
  return `${session}#${id}`;
}
