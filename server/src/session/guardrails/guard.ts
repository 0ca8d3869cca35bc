import type { JsonObject } from "#base";
import type { ModelPart } from "#models";
import type { TurnEvent } from "../contract.ts";
import { textOf } from "../model-output.ts";
import type { NextStep, TurnRun } from "../turn-run.ts";
import type { GuardrailStage } from "./guardrail-kind.ts";
import type { PreparedGuardrail } from "./prepare-guardrails.ts";
import { takeAction } from "./trigger-action.ts";

/** Judges the user's words before any agent sees them. Answers the step that a triggered guardrail asks for. */
export async function* guardInput(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  for (const { guardrail, problems } of turn.agent.guardrails) {
    for (const problem of problems) turn.spans.warn(`Guardrail '${guardrail.displayName}': ${problem}`);
  }
  return yield* guard(turn, "user-input", turn.input.text);
}

/** Judges an answer before the client gets it. A triggered guardrail's action takes the answer's place. */
export async function* guardResponse(
  turn: TurnRun,
  parts: readonly ModelPart[],
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  return yield* guard(turn, "agent-response", textOf(parts));
}

async function* guard(
  turn: TurnRun,
  stage: GuardrailStage,
  text: string,
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  if (text === "") return undefined;
  for (const prepared of turn.agent.guardrails) {
    if (!prepared.stages.has(stage)) continue;
    const span = turn.spans.start("Guardrail");
    const reason = prepared.judge(stage, text);
    span.end(attributesOf(turn, prepared, reason));
    if (reason !== undefined) return yield* takeAction(turn, prepared.guardrail);
  }
  return undefined;
}

function attributesOf(turn: TurnRun, { guardrail }: PreparedGuardrail, reason: string | undefined): JsonObject {
  return {
    agent: turn.agent.displayName,
    name: guardrail.displayName,
    description: guardrail.description,
    type: guardrail.guardrailType.case ?? "",
    triggered: reason !== undefined,
    ...(reason !== undefined && { reason }),
  };
}
