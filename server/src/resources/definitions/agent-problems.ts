import { create } from "@bufbuild/protobuf";
import {
  type Agent,
  type Agent_RemoteA2aAgent,
  type Agent_RemoteDialogflowAgent,
  AgentSchema,
} from "@frontdesk/protos/ces/agent";
import { TransferRule_Direction as Direction } from "@frontdesk/protos/ces/agent_transfers";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { idOf, unknownTypeOf } from "#aip";
import { ExpressionError, mapWithPauses, nameMatcher, parseExpression } from "#base";
import type { AppView } from "../define-resource.ts";
import { CALLBACKS, TRANSFER_CONDITION } from "../python/callback-signatures.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { isSystemToolName } from "../system-tools.ts";

/**
 * The misconfigurations of an agent, one sentence each, with field and line: `Agent.validation_errors`. Disabled callbacks are checked
 * too, because enabling one must not fail.
 */
export async function agentProblems(agent: Agent, state: AppView, python: PythonChecks): Promise<readonly string[]> {
  if (agent.agentType.case === "remoteDialogflowAgent") return remoteProblems(agent.agentType.value, python);
  const remote =
    agent.agentType.case === "remoteA2aAgent" ? await a2aProblems(agent, agent.agentType.value, python) : [];
  const code = await Promise.all([callbackProblems(agent, python), conditionProblems(agent, python)]);
  const rules = ruleProblems(agent, state);
  return [
    ...unknownTypeProblems(agent),
    ...remote,
    ...code.flat(),
    ...rules,
    ...(await toolsetProblems(agent, state, python)),
    ...python.server.instructionProblems(agent.instruction).map((problem) => `instruction: ${problem}`),
    ...referenceProblems(agent, state),
  ];
}

/** A type of agent that the definitions lack and a package had (PKG-31): nothing of it runs. */
function unknownTypeProblems(agent: Agent): readonly string[] {
  const type = unknownTypeOf(agent, "Agent");
  if (type === undefined) return [];
  const subject = `${type}: is a type of agent that cannot run here`;
  return agent.instruction.trim() === ""
    ? [
        `${subject}, and there is no instruction, so every turn that this agent answers by its model fails; write an instruction.`,
      ]
    : [`${subject}; the agent runs by its instruction instead.`];
}

/** Problems that prevent calls of a Dialogflow agent. */
function remoteProblems({ agent }: Agent_RemoteDialogflowAgent, { server }: PythonChecks): readonly string[] {
  const isName = /^projects\/[\w.:-]+\/locations\/[a-z0-9-]+\/agents\/[\w-]+$/.test(agent);
  return [
    ...(isName
      ? []
      : [
          `remote_dialogflow_agent.agent: '${agent}' is not of the form projects/{project}/locations/{location}/agents/{agent}.`,
        ]),
    ...(server.services.has("dialogflow")
      ? []
      : ["remote_dialogflow_agent: Dialogflow is not configured here, so every turn of this agent fails."]),
  ];
}

/** Problems that prevent calls of an agent elsewhere: those of a remote agent tool, which it is called as. */
async function a2aProblems(
  { name }: Agent,
  { a2aConfig }: Agent_RemoteA2aAgent,
  { tools }: PythonChecks,
): Promise<readonly string[]> {
  const field = "remote_a2a_agent.a2a_config";
  if (a2aConfig?.agentRegistry && !a2aConfig.agentCard)
    return [`${field}.agent_registry: no registry can be asked here; write the agent's card into agent_card.`];
  const value = {
    ...(a2aConfig?.agentCard && { agentCard: a2aConfig.agentCard }),
    ...(a2aConfig?.apiAuthentication && { apiAuthentication: a2aConfig.apiAuthentication }),
  };
  const problems = await tools.problems(create(ToolSchema, { name, toolType: { case: "remoteAgentTool", value } }));
  return problems.map((problem) => `${field}.${problem}.`);
}

async function callbackProblems(agent: Agent, python: PythonChecks): Promise<readonly string[]> {
  const stages = [
    [agent.beforeAgentCallbacks, "before_agent_callbacks"],
    [agent.afterAgentCallbacks, "after_agent_callbacks"],
    [agent.beforeModelCallbacks, "before_model_callbacks"],
    [agent.afterModelCallbacks, "after_model_callbacks"],
    [agent.beforeToolCallbacks, "before_tool_callbacks"],
    [agent.afterToolCallbacks, "after_tool_callbacks"],
  ] as const;
  const checks = stages.map(([callbacks, stage]) =>
    mapWithPauses(callbacks.entries(), async ([index, { callback }]) => {
      if (callback.case !== "pythonCode") return [`${stage}[${index}]: has no code.`];
      const problems = await python.entryPoint(callback.value, CALLBACKS[stage]);
      return problems.map((problem) => `${stage}[${index}]: ${problem}.`);
    }),
  );
  return (await Promise.all(checks)).flat(2);
}

async function conditionProblems(agent: Agent, python: PythonChecks): Promise<readonly string[]> {
  const problems = await mapWithPauses(agent.transferRules.entries(), async ([index, { ruleType }]) => {
    const subject = `transfer_rules[${index}]`;
    if (ruleType.case === undefined)
      return [`${subject}: has no type, so it does nothing; set deterministic_transfer or disable_planner_transfer.`];
    if (ruleType.case === "disablePlannerTransfer")
      return expressionProblems(subject, ruleType.value.expressionCondition?.expression ?? "");
    const { conditionType } = ruleType.value;
    if (conditionType.case !== "pythonCodeCondition")
      return expressionProblems(subject, conditionType.value?.expression ?? "");
    const problems = await python.entryPoint(conditionType.value.pythonCode, TRANSFER_CONDITION);
    return problems.map((problem) => `${subject}: ${problem}.`);
  });
  return problems.flat();
}

/** Rules about transfers that the tree does not have: the parent keeps them and names a child, or the child itself does (TURN-25). */
function ruleProblems({ name, transferRules, childAgents }: Agent, state: AppView): readonly string[] {
  return transferRules.flatMap(({ direction, childAgent }, index) => {
    if (direction !== Direction.CHILD_TO_PARENT || [name, ...childAgents].includes(childAgent)) return [];
    const child = state.find(AgentSchema, childAgent)?.displayName ?? idOf(childAgent);
    return [
      `transfer_rules[${index}]: '${child}' is no child of this agent, so the rule does nothing; add it to child_agents.`,
    ];
  });
}

/** A condition that cannot be parsed never holds, so its rule would have no effect. */
function expressionProblems(subject: string, expression: string): readonly string[] {
  try {
    parseExpression(expression);
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [`${subject}: the expression '${expression}' cannot be parsed: ${error.message}.`];
  }
}

/** Ids that lead to no tool of the toolset or to several, where that is known without a request (TSET-12). */
async function toolsetProblems({ toolsets }: Agent, state: AppView, python: PythonChecks): Promise<readonly string[]> {
  const perToolset = toolsets.map(async ({ toolset: name, toolIds }, index) => {
    const toolset = state.find(ToolsetSchema, name);
    const known = toolset && (await python.tools.knownToolIds(toolset));
    if (!known) return [];
    const field = `toolsets[${index}].tool_ids`;
    const matching = nameMatcher([...new Set(known)]);
    return toolIds.flatMap((id) => {
      const [only, ...others] = matching(id);
      if (only === undefined) return [`${field}: toolset '${toolset.displayName}' has no tool '${id}'.`];
      if (others.length === 0) return [];
      const names = [only, ...others].map((name) => `'${name}'`).join(", ");
      return [
        `${field}: '${id}' fits several tools of toolset '${toolset.displayName}' (${names}); write one exactly.`,
      ];
    });
  });
  return (await Promise.all(perToolset)).flat();
}

/** `{@AGENT: …}`, `{@TOOL: …}` and `{@WIDGET: …}` in the instruction that this agent does not have (TURN-32). */
function referenceProblems(agent: Agent, state: AppView): readonly string[] {
  const references = new Map(
    [...agent.instruction.matchAll(/\{@(AGENT|TOOL|WIDGET):([^{}]*)\}/gi)].map(([text, kind = "", inside = ""]) => [
      text,
      { kind: kind.toUpperCase(), name: inside.trim() },
    ]),
  );
  if (references.size === 0) return [];
  const listed = listedTools(agent, state);
  return [...references].flatMap(([text, { kind, name }]) => {
    const problem = REFERENCE_PROBLEMS[kind]?.(name, listed, state);
    return problem ? [`instruction: ${text} ${problem}.`] : [];
  });
}

/** The tools of an agent, as its instruction can name them. */
interface ListedTools {
  /** Resource names. */
  readonly names: ReadonlySet<string>;
  readonly displayNames: ReadonlySet<string>;
  /** What the names of the tools of its toolsets begin with. */
  readonly prefixes: readonly string[];
}

function listedTools({ tools, toolsets }: Agent, state: AppView): ListedTools {
  const prefixes = toolsets.flatMap(({ toolset }) => {
    const displayName = state.find(ToolsetSchema, toolset)?.displayName ?? "";
    return displayName === "" ? [] : [`${displayName}_`, `${displayName.replaceAll("-", "_")}_`];
  });
  return {
    names: new Set(tools),
    displayNames: new Set(tools.map((tool) => state.find(ToolSchema, tool)?.displayName ?? idOf(tool))),
    prefixes: [...new Set(prefixes)],
  };
}

type ReferenceProblem = (name: string, listed: ListedTools, state: AppView) => string | undefined;

const REFERENCE_PROBLEMS: Readonly<Record<string, ReferenceProblem>> = {
  AGENT: agentReferenceProblem,
  TOOL: toolReferenceProblem,
  WIDGET: widgetReferenceProblem,
};

/** Any agent of the app can be named: the model is offered a transfer to it (TURN-21). */
function agentReferenceProblem(name: string, _listed: ListedTools, state: AppView): string | undefined {
  return state.findByDisplayName(AgentSchema, name) ? undefined : "names no agent of this app";
}

function widgetReferenceProblem(name: string, { names }: ListedTools, state: AppView): string | undefined {
  const named = state.findByDisplayName(ToolSchema, name);
  if (!named) return "names no widget of this app";
  if (named.toolType.case !== "widgetTool") return "names a tool that is no widget; write {@TOOL: …}";
  return names.has(named.name) ? undefined : "names a widget that this agent does not list in 'tools'";
}

function toolReferenceProblem(
  name: string,
  { displayNames, prefixes }: ListedTools,
  state: AppView,
): string | undefined {
  if (displayNames.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) return undefined;
  const exists = isSystemToolName(name) || state.findByDisplayName(ToolSchema, name) !== undefined;
  return exists ? "names a tool that this agent does not list in 'tools'" : "names no tool of this app";
}
