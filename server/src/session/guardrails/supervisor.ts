import type { GuardrailCheck } from "./guardrail-kind.ts";

/** Intervention of a supervisor, whose rules are not published: it judges nothing here, and `App.validation_errors` says so (GUARD-28). */
export function supervisor(): GuardrailCheck {
  return { stages: new Set(), problems: [SUPERVISOR_PROBLEM] };
}

const SUPERVISOR_PROBLEM =
  "supervisor: the rules of this kind are not published, so it judges nothing here; use llm_policy";
