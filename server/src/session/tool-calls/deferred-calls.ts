import { create } from "@bufbuild/protobuf";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { ToolOutcome } from "#tools";
import type { Unprompted } from "../contract.ts";
import type { PendingCall } from "../state/session-state.ts";
import type { SharedOutcomes } from "./shared-outcomes.ts";

/** Most calls in memory, over all sessions. The one that ended first and was never reported is dropped first. */
const MOST_CALLS = 10_000; // TOOL-39

/** A call that runs while its session continues. */
interface DeferredCall {
  readonly session: string;
  readonly stop: AbortController;
  outcome: ToolOutcome | undefined;
  /** Whether an open stream was given the outcome. */
  announced: boolean;
}

/**
 * Asynchronous tool calls that turns have left running (TOOL-17). The sessions' own state lists the calls that they wait
 * for; only the running work is here, so that a call whose server stopped is reported as lost instead of pending for ever. Where several servers
 * have the sessions, outcomes are shared, because another one may run the next turn.
 */
export class DeferredCalls implements Unprompted {
  readonly #calls = new Map<string, DeferredCall>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #shared: SharedOutcomes | undefined;
  /** Sessions that somebody here waits for, and that got an outcome of another server which no turn was begun for. */
  readonly #elsewhere = new Set<string>();

  constructor(shared?: SharedOutcomes) {
    this.#shared = shared;
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
    const call: DeferredCall = { session, stop, outcome: undefined, announced: false };
    this.#calls.set(keyOf(session, id), call);
    this.#dropOldest();
    void work.then((outcome) => {
      call.outcome = outcome;
      // Forgotten meanwhile: nobody asks for it.
      if (this.#calls.get(keyOf(session, id)) === call) void this.#shared?.put(session, id, outcome);
      this.#wake(session);
    });
  }

  /** How a call ended; `running` until it ends, `lost` when its server has stopped. */
  async outcomeOf(session: string, { id, server }: PendingCall): Promise<ToolOutcome | "running" | "lost"> {
    const call = this.#calls.get(keyOf(session, id));
    if (call) return call.outcome ?? "running";
    return this.#shared && server !== undefined ? this.#shared.outcomeOf(session, id, server) : "lost";
  }

  /** Drops a call, and stops it when it still runs: its outcome was reported, or is not needed any more. */
  forget(session: string, id: string): void {
    const key = keyOf(session, id);
    this.#calls.get(key)?.stop.abort();
    this.#calls.delete(key);
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
    const ended = [...this.#calls.values()].filter((call) => call.session === session && isNewOutcome(call));
    const isElsewhere = this.#elsewhere.delete(session);
    if (ended.length === 0 && !isElsewhere) return undefined;
    for (const call of ended) call.announced = true;
    return [create(SessionInputSchema, { inputType: { case: "variables", value: {} } })];
  }

  #wake(session: string): void {
    for (const wake of this.#listeners.get(session) ?? []) wake();
  }

  #dropOldest(): void {
    if (this.#calls.size <= MOST_CALLS) return;
    for (const [key, { outcome }] of this.#calls) {
      if (outcome === undefined) continue;
      this.#calls.delete(key);
      return;
    }
  }
}

function isNewOutcome({ outcome, announced }: DeferredCall): boolean {
  return outcome !== undefined && !announced;
}

function keyOf(session: string, id: string): string {
  return `${session}#${id}`;
}
