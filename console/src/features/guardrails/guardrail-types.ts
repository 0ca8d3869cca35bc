import { create } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";

/** A kind of guardrail. */
interface GuardrailType {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** One with nothing set yet. */
  readonly make: () => Guardrail["guardrailType"];
}

/** Every kind of guardrail. */
export const GUARDRAIL_TYPES: readonly GuardrailType[] = [
  kind("contentFilter", "Content filter", "Blocks banned words and patterns."),
  kind("llmPolicy", "LLM policy", "A rule in natural language that a model evaluates."),
  kind("llmPromptSecurity", "Prompt security", "Detects prompt injection and jailbreak attempts."),
  kind("modelSafety", "Model safety", "Safety settings of the model, by harm category."),
  kind("codeCallback", "Code callback", "Python code of this app decides."),
];

/** The label of a guardrail's kind. */
export function guardrailTypeLabel(id: string | undefined): string {
  return GUARDRAIL_TYPES.find((one) => one.id === id)?.label ?? "Not set";
}

type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

function kind(id: GuardrailCase, label: string, description: string): GuardrailType {
  const make = () =>
    create(GuardrailSchema, { guardrailType: { case: id, value: {} } as Guardrail["guardrailType"] }).guardrailType;
  return { id, label, description, make };
}
