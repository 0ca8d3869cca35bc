import { type ThinkingLevel, thinkingLevelOf } from "#models";
import type { TurnView } from "../turn/turn-context.ts";

/** The model of a turn and how it is called. */
interface ActiveModelSettings {
  /** "" = the server's default. */
  readonly model: string;
  readonly temperature: number | undefined;
  readonly thinkingLevel: ThinkingLevel | undefined;
}

/** The settings of the active agent's calls: each from the deployment, else from the agent, its ancestors or the app (TURN-20, SESS-22). */
export function modelSettingsOf({ request, state }: Pick<TurnView, "request" | "state">): ActiveModelSettings {
  const { modelSettings } = request.snapshot;
  const { model, temperature, thinkingLevel } = state.agent;
  return {
    model: modelSettings?.model || model,
    temperature: modelSettings?.temperature ?? temperature,
    thinkingLevel: thinkingLevelOf(modelSettings) ?? thinkingLevel,
  };
}
