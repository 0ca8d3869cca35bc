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

/** A call that has ended while its session continues. */
interface EndedCall {
  readonly session: string;
  readonly outcome: ToolOutcome;
  /** Whether an open stream was given the outcome. */
  announced: boolean;
}

/**
 * Asynchronous tool calls that turns have left running (TOOL-17). The sessions' own state lists the calls that they wait
 * for; only the running work is here, so that a call whose server stopped is reported as lost instead of pending for ever. Where several servers
 * have the sessions, outcomes are shared, because another one may run the next turn.
 */
export class DeferredCalls implements Unprompted {
  /** What stops each call that runs. */
  readonly #running = new Map<string, AbortController>();
  /** The one that ended first is dropped first. */
  readonly #ended: LRUCache<string, EndedCall>;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #shared: SharedOutcomes | undefined;
  /** Sessions that somebody here waits for, and that got an outcome of another server which no turn was begun for. */
  readonly #elsewhere = new Set<string>();

  /** `mostBytes`: of outcomes in memory. */
  constructor(shared?: SharedOutcomes, mostBytes = shareOfHeap(SHARE_OF_HEAP)) {
    this.#shared = shared;
    this.#ended = new LRUCache({ max: MOST_ENDED, maxSize: mostBytes });
    shared?.onPut((session) => {
      if (!this.#listeners.has(session)) return;
      this.#elsewhere.add(session);
      this.#wake(session);
    });
  }

  /** The server that a call which begins now runs on; undefined where there is one only. */
  get server(): string | undefined {
    return this.#shared?.server;
  }

  /** Adds running work. `id` is the call's; `stop` ends it. The work never rejects. */
  start(session: string, id: string, stop: AbortController, work: Promise<ToolOutcome>): void {
    const key = keyOf(session, id);
    this.#running.set(key, stop);
    void work.then((outcome) => {
      // Forgotten meanwhile: nobody asks for it.
      if (this.#running.get(key) === stop) {
        this.#running.delete(key);
        this.#keep(session, id, outcome);
      }
      this.#wake(session);
    });
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
    this.#running.get(key)?.abort();
    this.#running.delete(key);
    this.#ended.delete(key);
    void this.#shared?.remove(session, id);
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

  #keep(session: string, id: string, outcome: ToolOutcome): void {
    const size = writeJson(outcome).length;
    const most = this.#ended.maxSize;
    if (size > most) {
      const why = `The result has ${size} characters, and there is room for ${most}. Let the tool return less.`;
      this.#keep(session, id, toolFailure(why));
      return;
    }
    this.#ended.set(keyOf(session, id), { session, outcome, announced: false }, { size });
    void this.#shared?.put(session, id, outcome);
  }

  #wake(session: string): void {
    for (const wake of this.#listeners.get(session) ?? []) wake();
  }
}

function keyOf(session: string, id: string): string {
  return `${session}#${id}`;
}
