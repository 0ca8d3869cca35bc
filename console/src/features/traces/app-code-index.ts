import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { EditSearch } from "../resources/use-tab.ts";

/** Python code of an app, and the resource that contains it. */
export interface CodeLocation {
  readonly code: string;
  /** The label of the code. */
  readonly title: string;
  /** Resource name of the agent or tool it belongs to. */
  readonly resource: string;
  /** Where on the page of that resource it is edited. */
  readonly search: EditSearch;
}

/** The resources of an app in which code is looked up. */
export interface AppCodeIndex {
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
  readonly guardrails: readonly Guardrail[];
}

const STAGES = {
  before_agent: "beforeAgentCallbacks",
  after_agent: "afterAgentCallbacks",
  before_model: "beforeModelCallbacks",
  after_model: "afterModelCallbacks",
  before_tool: "beforeToolCallbacks",
  after_tool: "afterToolCallbacks",
} as const satisfies Readonly<Record<string, keyof Agent>>;

/** A stage of an agent, as traces name it. */
export type Stage = keyof typeof STAGES;

/** Every stage, in the order in which they run. */
export const ALL_STAGES = Object.keys(STAGES) as readonly Stage[];

/** The callbacks of a stage. */
export function callbacksOf(agent: Agent, stage: Stage): Agent[(typeof STAGES)[Stage]] {
  return agent[STAGES[stage]];
}

/** Where on the page of its agent a callback is edited; `at` from 0. */
export function callbackSearch(stage: Stage, at: number): EditSearch {
  return { tab: "callbacks", at: `${stage}_callbacks[${at}]` };
}

/** Whether a text names a stage. */
function isStage(text: unknown): text is Stage {
  return typeof text === "string" && text in STAGES;
}

const CALLBACK_FILE = /^agents\/(?<agent>.+)\/(?<stage>\w+)_callbacks\/\w+_callbacks_(?<number>\d+)\/python_code\.py$/;
const TOOL_FILE =
  /^tools\/(?<tool>.+)\/(?<part>python_function|tool_fake_config\/code_block|widget_tool\/data_mapping)\/python_code\.py$/;

/** The code that a frame of a traceback names by its file; undefined when the app has none there (any more). */
export function codeOfFile(filename: string, codeIndex: AppCodeIndex): CodeLocation | undefined {
  const callback = CALLBACK_FILE.exec(filename)?.groups;
  if (callback) {
    const agent = codeIndex.agents.find(({ displayName }) => displayName === callback.agent);
    return agent && isStage(callback.stage)
      ? callbackAt(agent, callback.stage, Number(callback.number) - 1)
      : undefined;
  }
  const file = TOOL_FILE.exec(filename)?.groups;
  const tool = toolNamed(file?.tool ?? "", codeIndex);
  return tool && file?.part ? codeOfTool(tool, file.part) : undefined;
}

/** The code of a callback whose span has agent, stage and description; undefined when more than one would fit. */
export function codeOfCallback(
  { agent: agentName, stage, description }: Readonly<Record<string, unknown>>,
  { agents }: AppCodeIndex,
): CodeLocation | undefined {
  const agent = agents.find(({ displayName }) => displayName === agentName);
  if (!agent || !isStage(stage)) return undefined;
  const fitting = callbacksOf(agent, stage).flatMap((callback, at) =>
    callback.description === description && !callback.disabled ? [at] : [],
  );
  return fitting.length === 1 && fitting[0] !== undefined ? callbackAt(agent, stage, fitting[0]) : undefined;
}

/** The code of a Python tool by the name in its span. */
export function codeOfToolNamed(name: unknown, codeIndex: AppCodeIndex): CodeLocation | undefined {
  const tool = toolNamed(name, codeIndex);
  return tool && codeOfTool(tool, "python_function");
}

/** A tool of the app by the name in a span. */
export function toolNamed(name: unknown, { tools }: AppCodeIndex): Tool | undefined {
  return tools.find((tool) => toolNames(tool).includes(String(name)));
}

function callbackAt(agent: Agent, stage: Stage, at: number): CodeLocation | undefined {
  const callback = callbacksOf(agent, stage)[at];
  if (callback?.callback.case !== "pythonCode") return undefined;
  return {
    code: callback.callback.value,
    title: `${stage} callback ${at + 1} of ${agent.displayName}`,
    resource: agent.name,
    search: callbackSearch(stage, at),
  };
}

function codeOfTool(tool: Tool, part: string): CodeLocation | undefined {
  const code = part.startsWith("tool_fake_config") ? fakeCode(tool) : ownCode(tool);
  return code
    ? {
        code,
        title: part.startsWith("tool_fake") ? `Mock of ${tool.displayName}` : tool.displayName,
        resource: tool.name,
        search: part.startsWith("tool_fake") ? { tab: "settings" } : {},
      }
    : undefined;
}

function ownCode({ toolType }: Tool): string {
  if (toolType.case === "pythonFunction") return toolType.value.pythonCode;
  return toolType.case === "widgetTool" ? (toolType.value.dataMapping?.pythonFunction?.pythonCode ?? "") : "";
}

function fakeCode({ toolFakeConfig }: Tool): string {
  return toolFakeConfig?.toolResponse.case === "codeBlock" ? toolFakeConfig.toolResponse.value.pythonCode : "";
}

/** The names under which models and files know a tool. */
function toolNames({ displayName, toolType }: Tool): readonly string[] {
  const own = toolType.case === "pythonFunction" || toolType.case === "widgetTool" ? toolType.value.name : "";
  return [displayName, own].filter(Boolean);
}
