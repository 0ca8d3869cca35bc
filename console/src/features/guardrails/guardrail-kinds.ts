import { create } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";

/** A kind of guardrail. */
export interface GuardrailKind {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** One with nothing set yet. */
  readonly make: () => Guardrail["guardrailType"];
}

/** Every kind of guardrail. */
export const GUARDRAIL_KINDS: readonly GuardrailKind[] = [
  kind("contentFilter", "Banned words", "Texts and patterns that nobody may say."),
  kind("llmPolicy", "Policy", "A rule in plain words, judged by a model."),
  kind("llmPromptSecurity", "Prompt security", "Attempts to make the agent forget its task."),
  kind("modelSafety", "Model safety", "The model's own categories of harm."),
  kind("codeCallback", "Python", "Code of this app decides."),
];

/** How people call the kind of a guardrail. */
export function guardrailLabel(id: string | undefined): string {
  return GUARDRAIL_KINDS.find((one) => one.id === id)?.label ?? "Not set";
}

type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

function kind(id: GuardrailCase, label: string, description: string): GuardrailKind {
  const make = () =>
    create(GuardrailSchema, { guardrailType: { case: id, value: {} } as Guardrail["guardrailType"] }).guardrailType;
  return { id, label, description, make };
}
