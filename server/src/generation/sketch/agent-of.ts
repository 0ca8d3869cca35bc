import { clone, create } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { type Callback, CallbackSchema } from "@frontdesk/protos/ces/common";
import { type AgentChange, STAGES } from "./app-changes.ts";
import type { NamedResources } from "./named-resources.ts";

/** The fields of an agent that list its callbacks, by stage. */
const CALLBACK_FIELDS = {
  before_agent_callbacks: "beforeAgentCallbacks",
  after_agent_callbacks: "afterAgentCallbacks",
  before_model_callbacks: "beforeModelCallbacks",
  after_model_callbacks: "afterModelCallbacks",
  before_tool_callbacks: "beforeToolCallbacks",
  after_tool_callbacks: "afterToolCallbacks",
} as const satisfies Readonly<Record<(typeof STAGES)[number], keyof Agent>>;

/** An agent as a model is shown it. */
export function agentChangeOf(
  { displayName, description, instruction, tools, childAgents, ...agent }: Agent,
  nameOf: (resource: string) => string,
): AgentChange {
  const callbacks = STAGES.flatMap((stage) =>
    agent[CALLBACK_FIELDS[stage]].map((callback) => ({
      stage,
      description: callback.description,
      code: callback.callback.case === "pythonCode" ? callback.callback.value : "",
    })),
  );
  return {
    name: displayName,
    description,
    instruction,
    tools: tools.map(nameOf),
    child_agents: childAgents.map(nameOf),
    callbacks,
  };
}

/** An agent with what a model wrote of it. What a model does not write stays as `before` has it: model settings, toolsets, guardrails, rules. */
export function agentOf(before: Agent, change: AgentChange, names: NamedResources): Agent {
  const agent = clone(AgentSchema, before);
  const place = `agents['${change.name}']`;
  const known = (found: string | undefined) => (found === undefined ? [] : [found]);
  agent.displayName = change.name;
  agent.description = change.description;
  agent.instruction = change.instruction;
  agent.tools = [...new Set(change.tools)].flatMap((name) => known(names.tool(name, `${place}.tools`)));
  agent.childAgents = [...new Set(change.child_agents)].flatMap((name) =>
    known(names.agent(name, `${place}.child_agents`)),
  );
  for (const stage of STAGES) {
    const field = CALLBACK_FIELDS[stage];
    const written = change.callbacks.filter((callback) => callback.stage === stage);
    agent[field] = callbacksOf(before[field], written);
  }
  return agent;
}

type CallbackChange = AgentChange["callbacks"][number];

/**
 * Whether a callback is switched off is its author's decision, also where the model wrote another one before it: one is recognized by its code, else by its
 * description, else by its place among those that are left.
 */
function callbacksOf(before: readonly Callback[], written: readonly CallbackChange[]): Callback[] {
  const left = [...before];
  const found = new Map<CallbackChange, Callback>();
  const recognize = (isSame: (callback: Callback, change: CallbackChange) => boolean) => {
    for (const change of written) {
      const at = found.has(change) ? -1 : left.findIndex((callback) => isSame(callback, change));
      for (const callback of at < 0 ? [] : left.splice(at, 1)) found.set(change, callback);
    }
  };
  recognize(({ callback }, { code }) => callback.value === code);
  recognize((callback, { description }) => description !== "" && callback.description === description);
  if (written.length === before.length) recognize(() => true);
  return written.map((change) => callbackOf(found.get(change), change));
}

function callbackOf(before: Callback | undefined, { code, description }: CallbackChange): Callback {
  const callback = before ? clone(CallbackSchema, before) : create(CallbackSchema);
  callback.callback = { case: "pythonCode", value: code };
  callback.description = description;
  return callback;
}
