import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { codeCallback } from "./code-callback.ts";
import { contentFilter } from "./content-filter.ts";
import type { GuardrailCase, GuardrailCheck, GuardrailKind } from "./guardrail-kind.ts";
import { llmPolicy } from "./llm-policy.ts";
import { llmPromptSecurity } from "./llm-prompt-security.ts";
import { modelSafety } from "./model-safety.ts";
import { supervisor } from "./supervisor.ts";

/** Every kind of guardrail there is; the compiler notices a missing one. */
const GUARDRAIL_KINDS = {
  contentFilter,
  llmPromptSecurity,
  llmPolicy,
  modelSafety,
  codeCallback,
  supervisor,
} satisfies { readonly [Case in GuardrailCase]: GuardrailKind<Case> };

/** An enabled guardrail, ready to judge. */
export interface PreparedGuardrail extends GuardrailCheck {
  readonly guardrail: Guardrail;
}

/** The enabled guardrails among the named ones, in that order, each once (GUARD-2, GUARD-3). */
export function prepareGuardrails(
  guardrails: readonly Guardrail[],
  names: readonly string[],
): readonly PreparedGuardrail[] {
  return [...new Set(names)].flatMap((name) => {
    const guardrail = guardrails.find((candidate) => candidate.name === name);
    return guardrail?.enabled ? [{ ...checkOf(guardrail), guardrail }] : [];
  });
}

function checkOf({ guardrailType }: Guardrail): GuardrailCheck {
  if (guardrailType.case === undefined) return { stages: new Set(), problems: [] };
  // The table pairs each case with its own message.
  const kind = GUARDRAIL_KINDS[guardrailType.case] as GuardrailKind<GuardrailCase>;
  return kind(guardrailType.value);
}
