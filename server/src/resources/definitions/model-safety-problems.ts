import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import {
  Guardrail_ModelSafety_HarmCategory as Category,
  type Guardrail,
  GuardrailSchema,
  Guardrail_ModelSafety_HarmBlockThreshold as Threshold,
} from "@frontdesk/protos/ces/guardrail";
import type { AppView } from "../define-resource.ts";
import type { ServerFacts } from "../python/python-checks.ts";

/** Guardrails of the type model_safety whose thresholds the model of an agent does not read, one sentence each (GUARD-17). */
export function modelSafetyProblems(app: App, state: AppView, server: ServerFacts): readonly string[] {
  const agents = state.list(AgentSchema);
  return state
    .list(GuardrailSchema)
    .filter(blocksAnything)
    .flatMap(({ name, displayName }) => {
      const guarded = app.guardrails.includes(name)
        ? agents
        : agents.filter((agent) => agent.guardrails.includes(name));
      const names = new Set(guarded.filter(isLocal).map((agent) => modelOf(agent, agents, app)));
      const models = new Set([...names].flatMap((model) => server.modelWithoutSafetySettings(model) ?? []));
      if (models.size === 0) return [];
      const labels = [...models].map((label) => `'${label}'`).join(", ");
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

/** Dialogflow calls the model of its agents itself. */
function isLocal({ agentType }: Agent): boolean {
  return agentType.case !== "remoteDialogflowAgent";
}

/** The model that an agent names, else the nearest ancestor, else the app (TURN-20). "" = the server's default. */
function modelOf(agent: Agent, agents: readonly Agent[], app: App): string {
  const seen = new Set<string>();
  let current: Agent | undefined = agent;
  while (current && !seen.has(current.name)) {
    if (current.modelSettings?.model) return current.modelSettings.model;
    seen.add(current.name);
    const { name }: Agent = current;
    current = agents.find(({ childAgents }) => childAgents.includes(name));
  }
  return app.modelSettings?.model ?? "";
}
