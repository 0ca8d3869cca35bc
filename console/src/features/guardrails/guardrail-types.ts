import { create } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";

/** A kind of guardrail that can be created here. */
interface GuardrailType {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** One with nothing set yet. */
  readonly make: () => Guardrail["guardrailType"];
}

type GuardrailCase = NonNullable<Guardrail["guardrailType"]["case"]>;

/** What a kind is called and does. One without `description` comes with imported apps, and cannot be created here. */
interface Kind {
  readonly label: string;
  readonly description?: string;
}

/** Every kind of guardrail, in the order of the choice; the compiler notices a missing one. */
const KINDS: Readonly<Record<GuardrailCase, Kind>> = {
  contentFilter: { label: "Content filter", description: "Blocks banned words and patterns." },
  llmPolicy: { label: "LLM policy", description: "A rule in natural language that a model evaluates." },
  llmPromptSecurity: { label: "Prompt security", description: "Detects prompt injection and jailbreak attempts." },
  modelSafety: { label: "Model safety", description: "Safety settings of the model, by harm category." },
  codeCallback: { label: "Code callback", description: "Python code of this app decides." },
  supervisor: { label: "Supervisor" },
};

/** The kinds that can be created. */
export const GUARDRAIL_TYPES: readonly GuardrailType[] = Object.entries(KINDS).flatMap(
  ([id, { label, description }]) =>
    description === undefined ? [] : [{ id, label, description, make: () => begin(id as GuardrailCase) }],
);

/** The label of a guardrail's kind. */
export function guardrailTypeLabel(id: string | undefined): string {
  return new Map<string | undefined, Kind>(Object.entries(KINDS)).get(id)?.label ?? "Not set";
}

function begin(id: GuardrailCase): Guardrail["guardrailType"] {
  return create(GuardrailSchema, { guardrailType: { case: id, value: {} } as Guardrail["guardrailType"] })
    .guardrailType;
}
