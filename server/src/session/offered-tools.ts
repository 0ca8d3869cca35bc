import type { FunctionDeclaration } from "#models";
import { ConnectError } from "#status";
import { isSystemToolName, systemToolDeclaration, type ToolDeclaration, type Tools } from "#tools";
import type { AgentNode, AppIndex } from "./app-index.ts";

/** What an agent may call. */
export interface OfferedTools {
  /** As the model request takes them. */
  readonly declarations: readonly FunctionDeclaration[];
  readonly byName: ReadonlyMap<string, ToolDeclaration>;
  /** Tools of the agent's list that could not be offered, and why: hosted agents lose them without a word. */
  readonly problems: readonly string[];
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
  if (agent.transferTargets.length > 0) declared.push(transferDeclaration(agent));
  const byName = new Map(declared.map((declaration) => [declaration.name, declaration]));
  return {
    declarations: [...byName.values()].map(({ name, description, parameters }) => ({ name, description, parameters })),
    byName,
    problems: results.filter((result) => typeof result === "string"),
  };
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

function transferDeclaration({ transferTargets }: AgentNode): ToolDeclaration {
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
