import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Callback } from "@frontdesk/protos/ces/common";
import { fileSafeName } from "#base";

/** The six places where an agent's own Python runs (CB-1). */
export type CallbackStage =
  | "before_agent"
  | "after_agent"
  | "before_model"
  | "after_model"
  | "before_tool"
  | "after_tool";

/** A callback ready to run. */
export interface PreparedCallback {
  readonly code: string;
  /** Its path in an exported app: tracebacks show it. */
  readonly filename: string;
  /** The entry function; the name is fixed by the stage. */
  readonly entry: string;
  readonly description: string;
  /** Whether it also sees model output while it is written; only after_model callbacks do. */
  readonly proactive: boolean;
}

/** An agent's enabled callbacks by stage, in list order. */
export type AgentCallbacks = Readonly<Record<CallbackStage, readonly PreparedCallback[]>>;

/** Prepares the callbacks of an agent; those that are switched off are left out. */
export function prepareCallbacks(agent: Agent): AgentCallbacks {
  const prepare = (stage: CallbackStage, callbacks: readonly Callback[]) =>
    prepareStage(agent.displayName, stage, callbacks);
  return {
    before_agent: prepare("before_agent", agent.beforeAgentCallbacks),
    after_agent: prepare("after_agent", agent.afterAgentCallbacks),
    before_model: prepare("before_model", agent.beforeModelCallbacks),
    after_model: prepare("after_model", agent.afterModelCallbacks),
    before_tool: prepare("before_tool", agent.beforeToolCallbacks),
    after_tool: prepare("after_tool", agent.afterToolCallbacks),
  };
}

/** The callbacks of one stage that run (CB-4); only those after the model run on streamed pieces, too (CB-5). */
function prepareStage(
  agent: string,
  stage: CallbackStage,
  callbacks: readonly Callback[],
): readonly PreparedCallback[] {
  return callbacks.flatMap(({ callback, description, disabled, proactiveExecutionEnabled }, position) => {
    if (disabled || callback.case !== "pythonCode" || callback.value.trim() === "") return [];
    const number = String(position + 1).padStart(2, "0");
    return {
      code: callback.value,
      filename: `agents/${fileSafeName(agent)}/${stage}_callbacks/${stage}_callbacks_${number}/python_code.py`,
      entry: `${stage}_callback`,
      description,
      proactive: stage === "after_model" && proactiveExecutionEnabled,
    };
  });
}
