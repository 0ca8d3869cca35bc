import type { Guardrail } from "@frontdesk/protos/ces/guardrail";

/** A case of `Guardrail.guardrail_type`. */
export type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

/** The message that a case holds. */
export type GuardrailConfig<Case extends GuardrailCase> = Extract<Guardrail["guardrailType"], { case: Case }>["value"];

/** What a guardrail looks at: the user's words before any agent does, or an answer before the client gets it. */
export type GuardrailStage = "user-input" | "agent-response";

/** A guardrail ready to judge. */
export interface GuardrailCheck {
  /** Where it has something to judge; empty = nowhere. */
  readonly stages: ReadonlySet<GuardrailStage>;
  /** Why the text must not pass; undefined when it may. */
  judge(stage: GuardrailStage, text: string): string | undefined;
  /** What of the settings cannot be used: shown in the trace. */
  readonly problems: readonly string[];
}

/** How one kind of guardrail is made ready. */
export type GuardrailKind<Case extends GuardrailCase> = (config: GuardrailConfig<Case>) => GuardrailCheck;
