import type { ModelPart } from "#models";
import type { PythonArgument } from "#sandbox";
import { invalidArgument } from "#status";
import type { TurnEvent } from "../contract.ts";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import { wordsOf } from "../turn/speech-of.ts";
import type { NextStep, TurnRun } from "../turn/turn-context.ts";
import type { CodeStage, Judgement } from "./guardrail-kind.ts";
import { holdInput } from "./held-input.ts";
import { judgeText, runCode, spanAttributes } from "./judge.ts";
import type { PreparedGuardrail } from "./prepare-guardrails.ts";
import { takeAction } from "./trigger-action.ts";

/**
 * Judges the user's words before the active agent sees them, by those of its guardrails that have not judged them yet in this
 * turn (GUARD-1). Answers the step that a triggered guardrail asks for. Guardrails that ask a model are only started: see `HeldInput`.
 */
export async function* guardInput(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const asking: PreparedGuardrail[] = [];
  for (const prepared of turn.agent.guardrails) {
    if (turn.judged.has(prepared.guardrail)) continue;
    turn.judged.add(prepared.guardrail);
    checkUsable(turn, prepared);
    const judgement = await judgeInput(turn, prepared);
    if (judgement?.reason !== undefined) return yield* takeAction(turn, prepared.guardrail);
    if (prepared.ask && prepared.stages.has("user-input") && turn.input.text !== "") asking.push(prepared);
  }
  if (asking.length > 0) holdInput(turn, asking);
  return undefined;
}

/** The hosted service's words, for every turn whether the guardrail triggers or not (GUARD-16). */
function checkUsable(turn: TurnRun, { guardrail, problems }: PreparedGuardrail): void {
  if (guardrail.action?.action.case === undefined) {
    throw invalidArgument({ field: "", description: "Trigger action type is not supported: ACTION_NOT_SET" });
  }
  for (const problem of problems) turn.spans.warn(`Guardrail '${guardrail.displayName}': ${problem}`);
}

async function judgeInput(turn: TurnRun, prepared: PreparedGuardrail): Promise<Judgement | undefined> {
  if (prepared.codeStages?.has("user-input")) return runCode(turn, prepared, "user-input", [CONTEXT]);
  if (!prepared.judge || !prepared.stages.has("user-input") || turn.input.text === "") return undefined;
  return judgeText(turn, prepared, "user-input", turn.input.text);
}

const CONTEXT: PythonArgument = { kind: "callback-context" };

/**
 * Judges an answer before the client gets it, with the words that its calls would say (GUARD-4). A triggered guardrail's action takes the
 * answer's place.
 */
export async function* guardResponse(
  turn: TurnRun,
  parts: readonly ModelPart[],
  offered: Pick<OfferedTools, "byName">,
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  if (turn.agent.guardrails.length === 0) return undefined;
  const text = wordsOf(parts, offered);
  if (text === "") return undefined;
  for (const prepared of turn.agent.guardrails) {
    if (!prepared.stages.has("agent-response")) continue;
    const { reason } = await judgeText(turn, prepared, "agent-response", text);
    if (reason !== undefined) return yield* takeAction(turn, prepared.guardrail);
  }
  return undefined;
}

/** Lets the guardrails' own code judge at a stage. `args` follow the callback context. */
export async function* guardByCode(
  turn: TurnRun,
  stage: CodeStage,
  args: () => readonly PythonArgument[] = () => [],
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  for (const prepared of turn.agent.guardrails) {
    if (!prepared.codeStages?.has(stage)) continue;
    const { reason } = await runCode(turn, prepared, stage, [CONTEXT, ...args()]);
    if (reason !== undefined) return yield* takeAction(turn, prepared.guardrail);
  }
  return undefined;
}

/** A model that broke off because of what it was about to say triggers the guardrail that set its thresholds. */
export async function* guardSafety(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const prepared = turn.agent.guardrails.find(({ safetySettings }) => safetySettings);
  if (!prepared) return undefined;
  turn.spans
    .start("Guardrail")
    .end(spanAttributes(turn, prepared, { reason: "the model's safety filter stopped the answer" }));
  return yield* takeAction(turn, prepared.guardrail);
}
