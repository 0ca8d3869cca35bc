import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { App_ToolExecutionMode } from "@frontdesk/protos/ces/app";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { unknownTypeOf } from "#aip";
import type { JsonObject } from "#base";
import { type DialogueExample, type SafetySetting, type ThinkingLevel, thinkingLevelOf } from "#models";
import { failedPrecondition } from "#status";
import { toolName } from "#tools";
import { type AgentCallbacks, prepareCallbacks } from "./callbacks/agent-callbacks.ts";
import { type PreparedGuardrail, prepareGuardrails } from "./guardrails/prepare-guardrails.ts";
import { dialogueExamples, examplesText } from "./model-call/examples.ts";
import {
  agentReferences,
  type InstructionTemplate,
  joinTemplates,
  parseInstruction,
} from "./model-call/instruction-template.ts";
import { PREDEFINED_VARIABLES, variableDefaults } from "./state/variables.ts";
import { prepareTransferRules, type TransferRules } from "./transfers/transfer-rules.ts";

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
  readonly timeZone: string;
}

/** An agent in the tree, with what it inherits. */
export interface AgentNode {
  readonly agent: Agent;
  readonly name: string;
  readonly displayName: string;
  readonly parent: AgentNode | undefined;
  readonly children: readonly AgentNode[];
  /** The agents that the model is offered for a transfer: children, parent, then those that its instructions name (TURN-21). */
  readonly transferTargets: readonly AgentNode[];
  /** Rules that transfer to them, or keep the model from it, without asking the model. */
  readonly transferRules: TransferRules;
  /** The type of an agent that cannot run here and has no instruction instead (PKG-31). */
  readonly unknownType: string | undefined;
  /** The app's global instruction and the agent's own. */
  readonly instruction: InstructionTemplate;
  /** The few-shot examples as the prompt shows them; "" for none. */
  readonly examples: string;
  /** The same in model form. */
  readonly dialogueExamples: readonly DialogueExample[];
  readonly callbacks: AgentCallbacks;
  /** The app's guardrails, then the agent's own. */
  readonly guardrails: readonly PreparedGuardrail[];
  /** Model name, from the agent, its ancestors or the app (TURN-20); "" = the server's default. */
  readonly model: string;
  readonly temperature: number | undefined;
  readonly thinkingLevel: ThinkingLevel | undefined;
  /** The safety settings of its guardrails, one a category: a later guardrail overrides an earlier one. */
  readonly safetySettings: readonly SafetySetting[];
}

/** A snapshot never changes, so its index lives as long as it does. */
const indexes = new WeakMap<AppSnapshot, AppIndex>();

/** The index of a snapshot, built once (TURN-5). */
export function indexApp(snapshot: AppSnapshot): AppIndex {
  let index = indexes.get(snapshot);
  if (!index) {
    index = buildIndex(snapshot);
    indexes.set(snapshot, index);
  }
  return index;
}

function buildIndex(snapshot: AppSnapshot): AppIndex {
  const { app } = snapshot;
  if (!app) throw failedPrecondition("The snapshot of the app is empty.");
  const variableNames = new Set(app.variableDeclarations.map(({ name }) => name));
  const isDeclared = (name: string) => variableNames.has(name) || PREDEFINED_VARIABLES.includes(name);
  const tools = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
  const toolsets = new Map(snapshot.toolsets.map((toolset) => [toolset.name, toolset]));
  const agents = buildAgents(snapshot, app, tools, toolsets, isDeclared);
  const dynamicNames = new Set([...agents.values()].flatMap(({ instruction }) => instruction.dynamicNames));
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
    timeZone: app.timeZoneSettings?.timeZone ?? "",
  };
}

function buildAgents(
  snapshot: AppSnapshot,
  app: App,
  tools: ReadonlyMap<string, Tool>,
  toolsets: ReadonlyMap<string, Toolset>,
  isDeclared: (name: string) => boolean,
): Map<string, AgentNode> {
  const parents = parentsOf(snapshot.agents);
  const nodes = new Map<string, AgentNode>();
  for (const agent of snapshot.agents) {
    const lineage = lineageOf(agent, parents);
    // A Dialogflow agent has no other field that counts (agent.proto).
    const own = isRemote(agent) ? [] : agent.guardrails;
    const guardrails = prepareGuardrails(snapshot.guardrails, [...app.guardrails, ...own]);
    const dialogues = dialogueExamples(snapshot.examples, app, agent, tools, toolsets);
    nodes.set(agent.name, {
      agent,
      name: agent.name,
      displayName: agent.displayName,
      // Neighbours are looked up when asked for: the tree refers to itself in both directions.
      get parent() {
        const parent = parents.get(agent.name);
        return parent && nodes.get(parent.name);
      },
      get children() {
        return agent.childAgents.flatMap((name) => nodes.get(name) ?? []);
      },
      get transferTargets() {
        return transferTargets(this, app, nodes);
      },
      transferRules: prepareTransferRules(agent, parents.get(agent.name)),
      unknownType: agent.instruction.trim() === "" ? unknownTypeOf(agent, "Agent") : undefined,
      instruction: readInstructions([app.globalInstruction, agent.instruction], isDeclared),
      examples: examplesText(dialogues),
      dialogueExamples: dialogues,
      callbacks: prepareCallbacks(agent),
      guardrails,
      safetySettings: safetySettingsOf(guardrails),
      model: lineage.map(({ modelSettings }) => modelSettings?.model).find(Boolean) ?? app.modelSettings?.model ?? "",
      temperature:
        lineage.map(({ modelSettings }) => modelSettings?.temperature).find((value) => value !== undefined) ??
        app.modelSettings?.temperature,
      thinkingLevel:
        lineage.map(({ modelSettings }) => thinkingLevelOf(modelSettings)).find((value) => value !== undefined) ??
        thinkingLevelOf(app.modelSettings),
    });
  }
  return nodes;
}

function transferTargets(
  { agent, name, parent, children }: AgentNode,
  { globalInstruction }: App,
  nodes: ReadonlyMap<string, AgentNode>,
): readonly AgentNode[] {
  const named = isRemote(agent) ? new Set() : new Set(agentReferences(`${globalInstruction}\n${agent.instruction}`));
  const referenced = named.size === 0 ? [] : [...nodes.values()].filter(({ displayName }) => named.has(displayName));
  const targets = new Set([...children, ...(parent ? [parent] : []), ...referenced]);
  return [...targets].filter((target) => target.name !== name || children.includes(target));
}

function isRemote({ agentType }: Agent): boolean {
  return agentType.case === "remoteDialogflowAgent";
}

function safetySettingsOf(guardrails: readonly PreparedGuardrail[]): readonly SafetySetting[] {
  const settings = guardrails.flatMap(({ safetySettings }) => safetySettings ?? []);
  return [...new Map(settings.map((setting) => [setting.category, setting])).values()];
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

/** The agent and its ancestors, nearest first; a loop in the tree ends it. */
function lineageOf(agent: Agent, parents: ReadonlyMap<string, Agent>): readonly Agent[] {
  const lineage = new Set<Agent>();
  for (let next: Agent | undefined = agent; next && !lineage.has(next); next = parents.get(next.name))
    lineage.add(next);
  return [...lineage];
}

function readInstructions(instructions: readonly string[], isDeclared: (name: string) => boolean): InstructionTemplate {
  const written = instructions.filter((text) => text.trim() !== "");
  return joinTemplates(written.map((text) => parseInstruction(text, isDeclared)));
}
