import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { TurnEvent } from "../contract.ts";
import type { NextStep, TurnRun } from "../turn/turn-context.ts";
import { judgeText } from "./judge.ts";
import type { PreparedGuardrail } from "./prepare-guardrails.ts";
import { takeAction } from "./trigger-action.ts";

/**
 * User's words that a model still judges (GUARD-5). The agent's own model may already be asked meanwhile, but nothing of its answer is
 * shown, recorded or called, and no Python of the agent runs, before the words have passed.
 */
export interface HeldInput {
  /** The first triggered guardrail in list order; undefined = passed. */
  readonly verdict: Promise<Guardrail | undefined>;
  /** Fires when a guardrail has triggered: what the agent's model answers is of no use any more. */
  readonly blocked: AbortSignal;
  /** Whether the words have passed. */
  passed: boolean;
}

/** Asks all of the guardrails at the same time and lets the turn go on. */
export function holdInput(turn: TurnRun, guardrails: readonly PreparedGuardrail[]): void {
  const stop = new AbortController();
  const asked = guardrails.map(async (prepared) => {
    const { reason } = await judgeText(turn, prepared, "user-input", turn.input.text);
    return reason === undefined ? undefined : prepared.guardrail;
  });
  const verdict = Promise.all(asked).then((triggered) => triggered.find((guardrail) => guardrail !== undefined));
  const held: HeldInput = { verdict, blocked: stop.signal, passed: false };
  turn.held = held;
  // Whoever releases the input hears of a failure; a turn that ends before anybody does must not end the process.
  verdict.then(
    (guardrail) => {
      held.passed = guardrail === undefined;
      if (guardrail) stop.abort();
    },
    () => {},
  );
}

/** Waits until the words have passed; else answers the step that the guardrail asks for. The agent then counts as never asked. */
export async function* releaseInput(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { held } = turn;
  if (!held) return undefined;
  const triggered = await held.verdict;
  turn.held = undefined;
  if (!triggered) return undefined;
  const position = turn.entered.lastIndexOf(turn.agent);
  if (position >= 0) turn.entered.splice(position, 1);
  return yield* takeAction(turn, triggered);
}
