import type { FunctionDeclaration } from "#models";
import { ConnectError } from "#status";
import { isSystemToolName, systemToolDeclaration, type ToolDeclaration, type Tools } from "#tools";
import type { AgentNode, AppIndex } from "./app-index.ts";
import { blockedTargets } from "./follow-rules.ts";
import type { TurnRun } from "./turn-run.ts";

/** What an agent may call. */
export interface OfferedTools {
  /** As the model request takes them. */
  readonly declarations: readonly FunctionDeclaration[];
  readonly byName: ReadonlyMap<string, ToolDeclaration>;
  /** Whom the model may hand the conversation to. */
  readonly transferTargets: readonly AgentNode[];
  /** Agents whom transfer rules keep it from handing over to, by resource name. */
  readonly blockedTargets: ReadonlySet<string>;
  /** Tools of the agent's list that could not be offered, and why: hosted agents lose them without a word. */
  readonly problems: readonly string[];
}

/** What the active agent may call at this moment: without the hand-overs that transfer rules forbid the model. */
export async function toolsOfferedNow(turn: TurnRun): Promise<OfferedTools> {
  const offered = await offeredTools(turn.agent, turn.index, turn.engine.tools);
  const blocked = await blockedTargets(turn);
  return blocked ? withoutTargets(offered, blocked) : offered;
}

function withoutTargets(offered: OfferedTools, blockedTargets: ReadonlySet<string>): OfferedTools {
  const transferTargets = offered.transferTargets.filter(({ name }) => !blockedTargets.has(name));
  const byName = new Map(offered.byName);
  byName.delete("transfer_to_agent");
  if (transferTargets.length > 0) byName.set("transfer_to_agent", transferDeclaration(transferTargets));
  return { ...offered, byName, declarations: toFunctions(byName), transferTargets, blockedTargets };
}

/** A snapshot's agents keep their tools as long as they live. */
const offers = new WeakMap<AgentNode, Promise<OfferedTools>>();

/** The tools of an agent, declared once. */
export function offeredTools(agent: AgentNode, index: AppIndex, tools: Tools): Promise<OfferedTools> {
  let offer = offers.get(agent);
  if (!offer) {
    offer = declareTools(agent, index, tools);
    offer.catch(() => offers.delete(agent));
    offers.set(agent, offer);
  }
  return offer;
}

async function declareTools(agent: AgentNode, index: AppIndex, tools: Tools): Promise<OfferedTools> {
  const results = await Promise.all(agent.agent.tools.map((name) => declareTool(name, index, tools)));
  const declared = results.filter((result) => typeof result !== "string");
  if (agent.transferTargets.length > 0) declared.push(transferDeclaration(agent.transferTargets));
  const byName = new Map(declared.map((declaration) => [declaration.name, declaration]));
  return {
    declarations: toFunctions(byName),
    byName,
    transferTargets: agent.transferTargets,
    blockedTargets: NO_TARGETS,
    problems: results.filter((result) => typeof result === "string"),
  };
}

const NO_TARGETS: ReadonlySet<string> = new Set();

function toFunctions(byName: ReadonlyMap<string, ToolDeclaration>): readonly FunctionDeclaration[] {
  return [...byName.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** A tool's declaration, or the reason why it is not offered. System tools are listed by their fixed name. */
async function declareTool(name: string, index: AppIndex, tools: Tools): Promise<ToolDeclaration | string> {
  const tool = index.tools.get(name);
  const lastSegment = name.slice(name.lastIndexOf("/") + 1);
  if (!tool) {
    if (!isSystemToolName(lastSegment)) return `Tool '${name}' does not exist; the agent runs without it.`;
    return { ...systemToolDeclaration(lastSegment), tool: name };
  }
  try {
    return await tools.declare(tool);
  } catch (error) {
    if (error instanceof ConnectError) return error.rawMessage;
    throw error;
  }
}

function transferDeclaration(transferTargets: readonly AgentNode[]): ToolDeclaration {
  const declaration = systemToolDeclaration("transfer_to_agent");
  const names = transferTargets.map(({ displayName }) => displayName);
  const description = "Name of the agent that takes over.";
  return {
    ...declaration,
    parameters: {
      type: "object",
      properties: { agent_name: { type: "string", description, enum: names } },
      required: ["agent_name"],
    },
  };
}
