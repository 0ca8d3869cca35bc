import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import type { Example } from "@frontdesk/protos/ces/example";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { unknownTypeOf } from "#aip";
import { type DialogueExample, type SafetySetting, type ThinkingLevel, thinkingLevelOf } from "#models";
import { type AgentCallbacks, prepareCallbacks } from "./callbacks/agent-callbacks.ts";
import type { GuardrailsByName, PreparedGuardrail } from "./guardrails/prepare-guardrails.ts";
import { dialogueExamples, examplesText } from "./model-call/examples.ts";
import { agentReferences, type InstructionTemplate } from "./model-call/instruction-template.ts";
import { prepareTransferRules, type TransferRules } from "./transfers/transfer-rules.ts";

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

/** The app around an agent. */
export interface AgentContext {
  readonly app: App;
  /** All agents by resource name; complete when the first turn runs. */
  readonly nodes: ReadonlyMap<string, AgentNode>;
  readonly parents: ReadonlyMap<string, Agent>;
  /** The valid examples by the agent that they start at. */
  readonly examples: ReadonlyMap<string, readonly Example[]>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly guardrails: GuardrailsByName;
}

/** An agent of a snapshot. What only the agent's own turns need is computed by the first of them: an app can have thousands of agents. */
export class IndexedAgent implements AgentNode {
  readonly agent: Agent;
  readonly name: string;
  readonly displayName: string;
  readonly instruction: InstructionTemplate;
  readonly #app: AgentContext;
  #transferTargets: readonly AgentNode[] | undefined;
  #transferRules: TransferRules | undefined;
  #dialogueExamples: readonly DialogueExample[] | undefined;
  #examples: string | undefined;
  #callbacks: AgentCallbacks | undefined;
  #guardrails: readonly PreparedGuardrail[] | undefined;
  #safetySettings: readonly SafetySetting[] | undefined;
  #lineage: readonly Agent[] | undefined;

  constructor(agent: Agent, instruction: InstructionTemplate, context: AgentContext) {
    this.agent = agent;
    this.name = agent.name;
    this.displayName = agent.displayName;
    this.instruction = instruction;
    this.#app = context;
  }

  get parent(): AgentNode | undefined {
    const parent = this.#app.parents.get(this.name);
    return parent && this.#app.nodes.get(parent.name);
  }

  get children(): readonly AgentNode[] {
    return this.agent.childAgents.flatMap((name) => this.#app.nodes.get(name) ?? []);
  }

  get transferTargets(): readonly AgentNode[] {
    this.#transferTargets ??= transferTargets(this, this.#app);
    return this.#transferTargets;
  }

  get transferRules(): TransferRules {
    this.#transferRules ??= prepareTransferRules(this.agent, this.#app.parents.get(this.name));
    return this.#transferRules;
  }

  get unknownType(): string | undefined {
    return this.agent.instruction.trim() === "" ? unknownTypeOf(this.agent, "Agent") : undefined;
  }

  get dialogueExamples(): readonly DialogueExample[] {
    this.#dialogueExamples ??= dialogueExamples(this.#app.examples.get(this.name) ?? [], this.#app);
    return this.#dialogueExamples;
  }

  get examples(): string {
    this.#examples ??= examplesText(this.dialogueExamples);
    return this.#examples;
  }

  get callbacks(): AgentCallbacks {
    this.#callbacks ??= prepareCallbacks(this.agent);
    return this.#callbacks;
  }

  get guardrails(): readonly PreparedGuardrail[] {
    // A Dialogflow agent has no other field that counts (agent.proto).
    const own = isRemote(this.agent) ? [] : this.agent.guardrails;
    this.#guardrails ??= this.#app.guardrails([...this.#app.app.guardrails, ...own]);
    return this.#guardrails;
  }

  get safetySettings(): readonly SafetySetting[] {
    this.#safetySettings ??= safetySettingsOf(this.guardrails);
    return this.#safetySettings;
  }

  get model(): string {
    const own = this.#ancestry.map(({ modelSettings }) => modelSettings?.model).find(Boolean);
    return own ?? this.#app.app.modelSettings?.model ?? "";
  }

  get temperature(): number | undefined {
    const own = this.#ancestry.map(({ modelSettings }) => modelSettings?.temperature);
    return own.find((value) => value !== undefined) ?? this.#app.app.modelSettings?.temperature;
  }

  get thinkingLevel(): ThinkingLevel | undefined {
    const own = this.#ancestry.map(({ modelSettings }) => thinkingLevelOf(modelSettings));
    return own.find((value) => value !== undefined) ?? thinkingLevelOf(this.#app.app.modelSettings);
  }

  /** The agent and its ancestors, nearest first; a loop in the tree ends it. */
  get #ancestry(): readonly Agent[] {
    if (this.#lineage) return this.#lineage;
    const lineage = new Set<Agent>();
    let next: Agent | undefined = this.agent;
    while (next && !lineage.has(next)) {
      lineage.add(next);
      next = this.#app.parents.get(next.name);
    }
    this.#lineage = [...lineage];
    return this.#lineage;
  }
}

/** Whether an agent runs in Dialogflow. */
export function isRemote({ agentType }: Agent): boolean {
  return agentType.case === "remoteDialogflowAgent";
}

function transferTargets({ agent, name, parent, children }: AgentNode, { app, nodes }: AgentContext) {
  const { globalInstruction } = app;
  const named = isRemote(agent) ? new Set() : new Set(agentReferences(`${globalInstruction}\n${agent.instruction}`));
  const referenced = named.size === 0 ? [] : [...nodes.values()].filter(({ displayName }) => named.has(displayName));
  const own = new Set(children);
  const targets = new Set([...children, ...(parent ? [parent] : []), ...referenced]);
  return [...targets].filter((target) => target.name !== name || own.has(target));
}

function safetySettingsOf(guardrails: readonly PreparedGuardrail[]): readonly SafetySetting[] {
  const settings = guardrails.flatMap(({ safetySettings }) => safetySettings ?? []);
  return [...new Map(settings.map((setting) => [setting.category, setting])).values()];
}
