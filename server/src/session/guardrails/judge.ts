import type { JsonObject } from "#base";
import type { PythonArgument } from "#sandbox";
import type { TurnRun } from "../turn/turn-context.ts";
import type { CodeStage, GuardrailStage, Judgement } from "./guardrail-kind.ts";
import type { PreparedGuardrail } from "./prepare-guardrails.ts";

/** Judges a text, by rule or by model, with a span. */
export async function judgeText(
  turn: TurnRun,
  prepared: PreparedGuardrail,
  stage: GuardrailStage,
  text: string,
): Promise<Judgement> {
  const span = turn.spans.start("Guardrail");
  const judgement = prepared.ask
    ? await prepared.ask(stage, text, turn, prepared.guardrail.displayName)
    : { reason: prepared.judge?.(stage, text) };
  span.end(spanAttributes(turn, prepared, judgement));
  return judgement;
}

/** Runs a guardrail's own code, with a span. */
export async function runCode(
  turn: TurnRun,
  prepared: PreparedGuardrail,
  stage: CodeStage,
  args: readonly PythonArgument[],
): Promise<Judgement> {
  const span = turn.spans.start("Guardrail");
  const judgement = (await prepared.run?.(stage, args, turn)) ?? { reason: undefined };
  span.end(spanAttributes(turn, prepared, judgement));
  return judgement;
}

/** What the span of a judgement tells (CONV-10). */
export function spanAttributes(
  { agent }: TurnRun,
  { guardrail }: PreparedGuardrail,
  { reason, attributes }: Judgement,
): JsonObject {
  return {
    agent: agent.displayName,
    name: guardrail.displayName,
    description: guardrail.description,
    type: guardrail.guardrailType.case ?? "",
    triggered: reason !== undefined,
    ...attributes,
    ...(reason !== undefined && { reason }),
  };
}
