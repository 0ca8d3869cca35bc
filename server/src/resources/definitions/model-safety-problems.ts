import { AgentSchema } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import {
  Guardrail_ModelSafety_HarmCategory as Category,
  type Guardrail,
  GuardrailSchema,
  Guardrail_ModelSafety_HarmBlockThreshold as Threshold,
} from "@frontdesk/protos/ces/guardrail";
import type { AppView } from "../define-resource.ts";
import type { ServerFacts } from "../python/python-checks.ts";
import { isLocal, modelsOf } from "./models-of-agents.ts";

/** Guardrails of the type model_safety whose thresholds the model of an agent does not read, one sentence each (GUARD-17). */
export function modelSafetyProblems(app: App, state: AppView, server: ServerFacts): readonly string[] {
  const safety = state.list(GuardrailSchema).filter(blocksAnything);
  if (safety.length === 0) return [];
  const agents = state.list(AgentSchema);
  const models = modelsOf(agents, app);
  const listing = Map.groupBy(
    agents.flatMap((agent) => agent.guardrails.map((guardrail) => ({ guardrail, agent }))),
    ({ guardrail }) => guardrail,
  );
  return safety.flatMap(({ name, displayName }) => {
    const guarded = app.guardrails.includes(name) ? agents : (listing.get(name) ?? []).map(({ agent }) => agent);
    const used = new Set(guarded.filter(isLocal).map((agent) => models.get(agent) ?? ""));
    const unsafe = new Set([...used].flatMap((model) => server.modelWithoutSafetySettings(model) ?? []));
    if (unsafe.size === 0) return [];
    const labels = [...unsafe].map((label) => `'${label}'`).join(", ");
    return [
      `Guardrail '${displayName}', model_safety: ${labels} takes no safety settings, so this guardrail blocks nothing there; use a Gemini model, or add a guardrail of the type llm_policy that names what to block.`,
    ];
  });
}

function blocksAnything({ enabled, guardrailType }: Guardrail): boolean {
  if (!enabled || guardrailType.case !== "modelSafety") return false;
  return guardrailType.value.safetySettings.some(
    ({ category, threshold }) =>
      category !== Category.UNSPECIFIED &&
      ![Threshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED, Threshold.BLOCK_NONE, Threshold.OFF].includes(threshold),
  );
}
