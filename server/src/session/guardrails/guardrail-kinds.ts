import { contentFilter } from "./content-filter.ts";
import type { GuardrailCase, GuardrailKind } from "./guardrail-kind.ts";

/** Every kind of guardrail there is; the compiler notices a missing one. */
export const GUARDRAIL_KINDS = {
  contentFilter,
  llmPromptSecurity: notSupportedYet("LLM prompt security"),
  llmPolicy: notSupportedYet("LLM policy"),
  modelSafety: notSupportedYet("Model safety"),
  codeCallback: notSupportedYet("Code callback"),
} satisfies { readonly [Case in GuardrailCase]: GuardrailKind<Case> };

/** A kind that apps may hold but that this server does not judge by: every trace says so. */
function notSupportedYet(kind: string): () => { stages: Set<never>; judge: () => undefined; problems: string[] } {
  return () => ({
    stages: new Set(),
    judge: () => undefined,
    problems: [`${kind} guardrails are not supported yet by this server; it lets everything pass.`],
  });
}
