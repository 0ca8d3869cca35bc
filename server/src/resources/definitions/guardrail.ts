import { clone } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { defineResource } from "../define-resource.ts";

/** Guardrails. One without type or action is accepted, as the product does, and told in the app's `validation_errors`. */
export const guardrails = defineResource(GuardrailSchema, "app", {
  uniqueDisplayName: true,
  deriveOwn: async (guardrail, { server }) => withTemplate(guardrail, server.promptSecurityTemplate),
});

/** Default prompt security shows what it looks for; the field is for display (guardrail.proto). */
function withTemplate(guardrail: Guardrail, template: string): Guardrail {
  const { guardrailType } = guardrail;
  if (guardrailType.case !== "llmPromptSecurity" || guardrailType.value.securityConfig.case !== "defaultSettings")
    return guardrail;
  const copy = clone(GuardrailSchema, guardrail);
  if (
    copy.guardrailType.case === "llmPromptSecurity" &&
    copy.guardrailType.value.securityConfig.case === "defaultSettings"
  )
    copy.guardrailType.value.securityConfig.value.defaultPromptTemplate = template;
  return copy;
}
