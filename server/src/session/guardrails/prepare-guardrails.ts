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
export type GuardrailsByName = (names: readonly string[]) => readonly PreparedGuardrail[];

/** Prepares the guardrails of an app, each when it is asked for first. */
export function prepareGuardrails(guardrails: readonly Guardrail[]): GuardrailsByName {
  const byName = new Map(guardrails.map((guardrail) => [guardrail.name, guardrail]));
  const prepared = new Map<string, PreparedGuardrail>();
  return (names) =>
    [...new Set(names)].flatMap((name) => {
      const guardrail = byName.get(name);
      if (!guardrail?.enabled) return [];
      const known = prepared.get(name) ?? withGuardrail(checkOf(guardrail), guardrail);
      prepared.set(name, known);
      return [known];
    });
}

/** The check itself, not a copy: some of its members are computed when they are read. */
function withGuardrail(check: GuardrailCheck, guardrail: Guardrail): PreparedGuardrail {
  return Object.assign(check, { guardrail });
}

function checkOf({ guardrailType }: Guardrail): GuardrailCheck {
  if (guardrailType.case === undefined) return { stages: new Set(), problems: [] };
  // The table pairs each case with its own message.
  const kind = GUARDRAIL_KINDS[guardrailType.case] as GuardrailKind<GuardrailCase>;
  return kind(guardrailType.value);
}
