import {
  type Guardrail_LlmPolicy,
  Guardrail_LlmPolicy_PolicyScope as PolicyScope,
} from "@frontdesk/protos/ces/guardrail";
import { substituteVariables } from "../model-call/instruction-template.ts";
import type { GuardrailCheck, GuardrailStage } from "./guardrail-kind.ts";
import { askJudge } from "./llm-judge.ts";

/** A model judges texts by the app's own policy (GUARD-9). */
export function llmPolicy(config: Guardrail_LlmPolicy): GuardrailCheck {
  return {
    stages: new Set(SCOPES[config.policyScope]),
    problems: config.prompt.trim() === "" ? ["The policy has no prompt, so there is nothing to judge by."] : [],
    judgeByModel: async (stage, text, context) => {
      if (config.prompt.trim() === "") return { reason: undefined };
      if (stage === "user-input" && !config.allowShortUtterance && isShort(text)) {
        return { reason: undefined, attributes: { skipped: "short utterance" } };
      }
      return askJudge(context, {
        policy: substituteVariables(config.prompt, context.values()),
        stage,
        text,
        messages: config.maxConversationMessages || DEFAULT_MESSAGES,
        failOpen: config.failOpen,
        settings: config.modelSettings,
      });
    },
  };
}

/** How many messages a judge sees unless the policy sets it (proto comment of `max_conversation_messages`). */
export const DEFAULT_MESSAGES = 10;

const SCOPES: Readonly<Record<PolicyScope, readonly GuardrailStage[]>> = {
  [PolicyScope.POLICY_SCOPE_UNSPECIFIED]: ["user-input"],
  [PolicyScope.USER_QUERY]: ["user-input"],
  [PolicyScope.AGENT_RESPONSE]: ["agent-response"],
  [PolicyScope.USER_QUERY_AND_AGENT_RESPONSE]: ["user-input", "agent-response"],
};

/** "Yes please", "4711", "ok" (GUARD-10): hosted policies skip short utterances of an undocumented length. Two words, twenty characters here. */
function isShort(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= 20 && trimmed.split(/\s+/).length <= 2;
}
