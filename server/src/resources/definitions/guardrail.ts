import { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { defineResource } from "../define-resource.ts";

/** Guardrails. One without type or action is accepted, as the product does, and told in the app's `validation_errors`. */
export const guardrails = defineResource(GuardrailSchema, "app", { uniqueDisplayName: true });
