import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { App_ToolExecutionMode } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { createPauses, type JsonObject, knownTimeZone } from "#base";
import { failedPrecondition } from "#status";
import { toolName } from "#tools";
import { type AgentContext, type AgentNode, IndexedAgent, isRemote } from "./agent-node.ts";
import { prepareGuardrails } from "./guardrails/prepare-guardrails.ts";
import { type InstructionTemplate, joinTemplates, parseInstruction } from "./model-call/instruction-template.ts";
import { PREDEFINED_VARIABLES, variableDefaults } from "./state/variables.ts";

export type { AgentNode } from "./agent-node.ts";

/** A snapshot made ready to run: everything that every turn would derive again. */
export interface AppIndex {
  readonly app: App;
  readonly agents: ReadonlyMap<string, AgentNode>;
  readonly agentsByDisplayName: ReadonlyMap<string, AgentNode>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Every tool by the name under which model and user code call it. */
  readonly toolsByName: ReadonlyMap<string, Tool>;
  /** By resource name. */
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly variableNames: ReadonlySet<string>;
  readonly variableDefaults: JsonObject;
  /** Variables written `{name}` in any instruction: the only ones whose values are part of the conversation in model form. */
  readonly dynamicNames: ReadonlySet<string>;
  /** Calls proposed together run one after the other instead of at the same time. */
  readonly sequentialTools: boolean;
  /** Whether any agent is one of Dialogflow. */
  readonly usesDialogflow: boolean;
  readonly languageCode: string;
  /** "" when the app sets none, or one that there is not. */
  readonly timeZone: string;
}

/** A snapshot never changes, so its index lives as long as it does. */
const indexes = new WeakMap<AppSnapshot, Promise<AppIndex>>();

/** The index of a snapshot, built once (TURN-5). Other calls run while that of a large app is built. */
export function indexApp(snapshot: AppSnapshot): Promise<AppIndex> {
  let index = indexes.get(snapshot);
  if (!index) {
    index = buildIndex(snapshot);
    indexes.set(snapshot, index);
  }
  return index;
}

async function buildIndex(snapshot: AppSnapshot): Promise<AppIndex> {
  const { app } = snapshot;
  if (!app) throw failedPrecondition("The snapshot of the app is empty.");
  const variableNames = new Set(app.variableDeclarations.map(({ name }) => name));
  const isDeclared = (name: string) => variableNames.has(name) || PREDEFINED_VARIABLES.includes(name);
  const tools = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
  const toolsets = new Map(snapshot.toolsets.map((toolset) => [toolset.name, toolset]));
  const agents = await buildAgents(snapshot, { app, tools, toolsets }, isDeclared);
  const dynamicNames = new Set<string>();
  for (const { instruction } of agents.values()) for (const name of instruction.dynamicNames) dynamicNames.add(name);
  return {
    app,
    agents,
    agentsByDisplayName: new Map([...agents.values()].map((node) => [node.displayName, node])),
    tools,
    toolsByName: new Map(snapshot.tools.map((tool) => [toolName(tool), tool])),
    toolsets,
    variableNames,
    variableDefaults: variableDefaults(app),
    dynamicNames,
    sequentialTools: app.toolExecutionMode === App_ToolExecutionMode.SEQUENTIAL,
    usesDialogflow: snapshot.agents.some(isRemote),
    languageCode: app.languageSettings?.defaultLanguageCode ?? "",
    timeZone: knownTimeZone(app.timeZoneSettings?.timeZone),
  };
}

async function buildAgents(
  snapshot: AppSnapshot,
  shared: Pick<AgentContext, "app" | "tools" | "toolsets">,
  isDeclared: (name: string) => boolean,
): Promise<ReadonlyMap<string, AgentNode>> {
  const nodes = new Map<string, AgentNode>();
  const { rootAgent, globalInstruction } = shared.app;
  const valid = snapshot.examples.filter(({ invalid }) => !invalid);
  const context: AgentContext = {
    ...shared,
    nodes,
    parents: parentsOf(snapshot.agents),
    // An example that names no agent starts at the root (TURN-37).
    examples: Map.groupBy(valid, ({ entryAgent }) => entryAgent || rootAgent),
    guardrails: prepareGuardrails(snapshot.guardrails),
  };
  const global = readInstruction(globalInstruction, isDeclared);
  const pause = createPauses();
  for (const agent of snapshot.agents) {
    const own = readInstruction(agent.instruction, isDeclared);
    nodes.set(agent.name, new IndexedAgent(agent, joinTemplates([...global, ...own]), context));
    await pause();
  }
  return nodes;
}

/** Each agent's parent: the first agent that lists it as a child. */
function parentsOf(agents: readonly Agent[]): Map<string, Agent> {
  const parents = new Map<string, Agent>();
  for (const parent of agents) {
    for (const child of parent.childAgents) {
      if (!parents.has(child)) parents.set(child, parent);
    }
  }
  return parents;
}

/** An instruction as a template; none for an empty one. */
function readInstruction(text: string, isDeclared: (name: string) => boolean): readonly InstructionTemplate[] {
  return text.trim() === "" ? [] : [parseInstruction(text, isDeclared)];
}
