import { create } from "@bufbuild/protobuf";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { ToolOutcome } from "#tools";
import type { Unprompted } from "../contract.ts";

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
 * for; only the running work is here, so that a call whose server stopped is reported as lost instead of pending for ever.
 */
export class DeferredCalls implements Unprompted {
  readonly #calls = new Map<string, DeferredCall>();
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Adds running work. `id` is the call's; `stop` ends it. The work never rejects. */
  start(session: string, id: string, stop: AbortController, work: Promise<ToolOutcome>): void {
    const call: DeferredCall = { session, stop, outcome: undefined, announced: false };
    this.#calls.set(keyOf(session, id), call);
    this.#dropOldest();
    void work.then((outcome) => {
      call.outcome = outcome;
      for (const wake of this.#listeners.get(session) ?? []) wake();
    });
  }

  /** How a call ended; `running` until it ends, `lost` when its server has stopped. */
  outcomeOf(session: string, id: string): ToolOutcome | "running" | "lost" {
    const call = this.#calls.get(keyOf(session, id));
    return call ? (call.outcome ?? "running") : "lost";
  }

  /** Drops a call, and stops it when it still runs: its outcome was reported, or is not needed any more. */
  forget(session: string, id: string): void {
    const key = keyOf(session, id);
    this.#calls.get(key)?.stop.abort();
    this.#calls.delete(key);
  }

  subscribe(session: string, wake: () => void): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(wake));
    return () => {
      listeners.delete(wake);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }

  /** An input without content: the turn that it starts records all outcomes. Once for each outcome. */
  take(session: string): readonly SessionInput[] | undefined {
    const ended = [...this.#calls.values()].filter((call) => call.session === session && isNewOutcome(call));
    if (ended.length === 0) return undefined;
    for (const call of ended) call.announced = true;
    return [create(SessionInputSchema, { inputType: { case: "variables", value: {} } })];
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
