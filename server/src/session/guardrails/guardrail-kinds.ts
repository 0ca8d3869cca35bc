import { codeCallback } from "./code-callback.ts";
import { contentFilter } from "./content-filter.ts";
import type { GuardrailCase, GuardrailKind } from "./guardrail-kind.ts";
import { llmPolicy } from "./llm-policy.ts";
import { llmPromptSecurity } from "./llm-prompt-security.ts";
import { modelSafety } from "./model-safety.ts";

/** Every kind of guardrail there is; the compiler notices a missing one. */
export const GUARDRAIL_KINDS = {
  contentFilter,
  llmPromptSecurity,
  llmPolicy,
  modelSafety,
  codeCallback,
} satisfies { readonly [Case in GuardrailCase]: GuardrailKind<Case> };
