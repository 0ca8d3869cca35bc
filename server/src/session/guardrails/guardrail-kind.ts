import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { JsonObject, Logger } from "#base";
import type { ModelMessage, Models, SafetySetting } from "#models";
import type { PythonArgument } from "#sandbox";
import type { UserCodeOutcome } from "#tools";
import type { TextSearch } from "../text-search/text-threads.ts";

/** A case of `Guardrail.guardrail_type`. */
export type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

/** The message of a case. */
type GuardrailConfig<Case extends GuardrailCase> = Extract<Guardrail["guardrailType"], { case: Case }>["value"];

/** What a guardrail checks: the user's input before any agent gets it, or an answer before the client gets it. */
export type GuardrailStage = "user-input" | "agent-response";

/** Where a guardrail's own code may judge beside the stages that all have. */
export type CodeStage = "user-input" | "before-model" | "after-model" | "after-agent";

/** The result of a check. */
export interface Judgement {
  /** Why the text must not pass; undefined when it may. */
  readonly reason: string | undefined;
  /** What else the span has. */
  readonly attributes?: JsonObject;
}

/** The reason of a check that could not be made and blocks (GUARD-12, GUARD-18). */
export const CHECK_FAILED = "the check failed";

/** What a guardrail may use of the turn that it judges. */
export interface GuardrailContext {
  /** Display name of the guardrail. */
  readonly guardrail: string;
  /** Session resource name. */
  readonly session: string;
  readonly signal: AbortSignal;
  /** The deployment's or the app's own model, for judges without one; "" = the server's default. */
  readonly model: string;
  readonly models: Pick<Models, "resolve">;
  readonly logger: Logger;
  /** The conversation in model form, the user's input included. */
  messages(): readonly ModelMessage[];
  /** The session's state, for placeholders of prompts. */
  values(): JsonObject;
  /** Runs a function of the guardrail's own code. What it changed of the variables is applied when it returns. */
  runPython(hook: {
    readonly code: string;
    readonly filename: string;
    readonly entry: string;
    readonly positional: readonly PythonArgument[];
  }): Promise<UserCodeOutcome>;
}

/** A guardrail ready to judge. Absent members are things that its kind does not do. */
export interface GuardrailCheck {
  /** Where it has a text to judge; empty = nowhere. */
  readonly stages: ReadonlySet<GuardrailStage>;
  /** Judges a text by rules; a long one in one of the threads. */
  judge?(stage: GuardrailStage, text: string, threads: TextSearch): Promise<Judgement>;
  /** Asks a model about a text, while other work continues. Rejects only when the turn is aborted. */
  judgeByModel?(stage: GuardrailStage, text: string, context: GuardrailContext): Promise<Judgement>;
  /** Where code of its own judges, whatever the text. */
  readonly codeStages?: ReadonlySet<CodeStage>;
  judgeByCode?(stage: CodeStage, args: readonly PythonArgument[], context: GuardrailContext): Promise<Judgement>;
  /** Safety settings of the agent's own model. */
  readonly safetySettings?: readonly SafetySetting[];
  /** What of the settings cannot be used: shown in the trace. */
  readonly problems: readonly string[];
}

/** Prepares one kind of guardrail. */
export type GuardrailKind<Case extends GuardrailCase> = (config: GuardrailConfig<Case>) => GuardrailCheck;
