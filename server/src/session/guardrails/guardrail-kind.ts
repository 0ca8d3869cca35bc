import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { JsonObject } from "#base";
import type { SafetySetting } from "#models";
import type { PythonArgument } from "#sandbox";
import type { TurnRun } from "../turn/turn-context.ts";

/** A case of `Guardrail.guardrail_type`. */
export type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

/** The message that a case holds. */
export type GuardrailConfig<Case extends GuardrailCase> = Extract<Guardrail["guardrailType"], { case: Case }>["value"];

/** What a guardrail looks at: the user's words before any agent does, or an answer before the client gets it. */
export type GuardrailStage = "user-input" | "agent-response";

/** Where a guardrail's own code may step in beside the stages that all have. */
export type CodeStage = "user-input" | "before-model" | "after-model" | "after-agent";

/** What came of looking. */
export interface Judgement {
  /** Why the text must not pass; undefined when it may. */
  readonly reason: string | undefined;
  /** What else the span tells. */
  readonly attributes?: JsonObject;
}

/** A guardrail ready to judge. Absent members are things that its kind does not do. */
export interface GuardrailCheck {
  /** Where it has a text to judge; empty = nowhere. */
  readonly stages: ReadonlySet<GuardrailStage>;
  /** Judges a text at once. Why it must not pass; undefined when it may. */
  judge?(stage: GuardrailStage, text: string): string | undefined;
  /** Asks a model about a text for a guardrail of that name, so that other work may go on meanwhile. Rejects only when the turn is given up. */
  ask?(stage: GuardrailStage, text: string, turn: TurnRun, guardrail: string): Promise<Judgement>;
  /** Where code of its own judges, whatever was said. */
  readonly codeStages?: ReadonlySet<CodeStage>;
  run?(stage: CodeStage, args: readonly PythonArgument[], turn: TurnRun): Promise<Judgement>;
  /** What the model itself is to refuse. */
  readonly safetySettings?: readonly SafetySetting[];
  /** What of the settings cannot be used: shown in the trace. */
  readonly problems: readonly string[];
}

/** How one kind of guardrail is made ready. */
export type GuardrailKind<Case extends GuardrailCase> = (config: GuardrailConfig<Case>) => GuardrailCheck;
