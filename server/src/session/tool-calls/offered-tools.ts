import { setImmediate } from "node:timers/promises";
import type { Agent_AgentToolset } from "@frontdesk/protos/ces/agent";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { nameMatcher } from "#base";
import type { FunctionDeclaration } from "#models";
import { Code, ConnectError } from "#status";
import { isSystemToolName, systemToolDeclaration, type ToolDeclaration, type Tools, type ToolsetMember } from "#tools";
import type { AgentNode, AppIndex } from "../app-index.ts";
import { blockedTargets, type RuleTurn } from "../transfers/follow-transfer-rules.ts";
import type { Turn } from "../turn/turn-context.ts";

/** What an agent may call. */
export interface OfferedTools {
  /** As the model request takes them. */
  readonly declarations: readonly FunctionDeclaration[];
  readonly byName: ReadonlyMap<string, ToolDeclaration>;
  /** The tools of toolsets among them, by resource name: no snapshot has those. */
  readonly members: ReadonlyMap<string, Tool>;
  /** The agents that the model may transfer to. */
  readonly transferTargets: readonly AgentNode[];
  /** Agents that transfer rules keep it from transferring to, by resource name. */
  readonly blockedTargets: ReadonlySet<string>;
  /** Tools of the agent's list that could not be offered, and why: hosted agents lose them without a word. */
  readonly problems: readonly string[];
}

/** What the active agent may call at this moment: without the transfers that rules forbid the model. */
export async function toolsOfferedNow(turn: RuleTurn): Promise<OfferedTools> {
  const offered = await offeredTools(turn, turn.state.agent);
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

interface Offer {
  readonly toolsets: readonly OpenedToolset[];
  readonly offered: Promise<OfferedTools>;
}

/** The tools of a snapshot's agents, for as long as the agents live and their toolsets have the same tools. */
const offers = new WeakMap<AgentNode, Offer>();

/** The tools of an agent, declared once. */
export async function offeredTools(
  { index, engine, variables, signal }: OfferingTurn,
  agent: AgentNode,
): Promise<OfferedTools> {
  const known = offers.get(agent);
  if (known && agent.agent.toolsets.length === 0) return known.offered;
  const session = { variables: variables.values, signal };
  const toolsets = await openToolsets(agent.agent.toolsets, index, engine.tools, session);
  if (known && isSame(known.toolsets, toolsets)) return known.offered;
  const offered = declareTools(agent, index, engine.tools, toolsets);
  offers.set(agent, { toolsets, offered });
  offered.catch(() => offers.delete(agent));
  return offered;
}

/** What of a turn decides what its agents may call. */
type OfferingTurn = Pick<RuleTurn, "index" | "variables" | "signal"> & {
  readonly engine: Pick<Turn["engine"], "tools">;
};

function isSame(before: readonly OpenedToolset[], now: readonly OpenedToolset[]): boolean {
  return now.every(({ members, problem }, at) => members === before[at]?.members && problem === before[at]?.problem);
}

async function declareTools(
  agent: AgentNode,
  index: AppIndex,
  tools: Tools,
  toolsets: readonly OpenedToolset[],
): Promise<OfferedTools> {
  const chosen = toolsets.map(chosenMembers);
  const members = new Map(chosen.flatMap(({ chosen: some }) => some.map(({ tool }) => [tool.name, tool])));
  const own = await Promise.all(agent.agent.tools.map((name) => declareTool(name, index, tools)));
  const theirs = await declaredInTurns([...members.values()], tools);
  const results = [...own, ...theirs];
  const { byName, problems } = withoutDoubles(results.filter((result) => typeof result !== "string"));
  const { transferTargets } = agent;
  if (transferTargets.length > 0) byName.set("transfer_to_agent", transferDeclaration(transferTargets));
  return {
    declarations: toFunctions(byName),
    byName,
    members,
    transferTargets,
    blockedTargets: NO_TARGETS,
    problems: [
      ...results.filter((result) => typeof result === "string"),
      ...chosen.flatMap((one) => one.problems),
      ...problems,
    ],
  };
}

/** A name can lead to one tool only: the agent's own come first, then its toolsets in their order (TSET-3). */
function withoutDoubles(declarations: readonly ToolDeclaration[]): {
  readonly byName: Map<string, ToolDeclaration>;
  readonly problems: readonly string[];
} {
  const byName = new Map<string, ToolDeclaration>();
  const problems: string[] = [];
  for (const declaration of declarations) {
    const first = byName.get(declaration.name);
    if (!first) byName.set(declaration.name, declaration);
    else if (first.tool !== declaration.tool)
      problems.push(
        `Tool '${declaration.tool}' is not offered: its name '${declaration.name}' is taken by '${first.tool}'.`,
      );
  }
  return { byName, problems };
}

const NO_TARGETS: ReadonlySet<string> = new Set();

function toFunctions(byName: ReadonlyMap<string, ToolDeclaration>): readonly FunctionDeclaration[] {
  return [...byName.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** A toolset may have hundreds of tools, and other sessions are not to wait for all of them. */
const DECLARED_AT_ONCE = 25;

async function declaredInTurns(members: readonly Tool[], tools: Tools): Promise<readonly (ToolDeclaration | string)[]> {
  const results: (ToolDeclaration | string)[] = [];
  for (let at = 0; at < members.length; at += DECLARED_AT_ONCE) {
    if (at > 0) await setImmediate();
    results.push(...(await Promise.all(members.slice(at, at + DECLARED_AT_ONCE).map((tool) => declared(tool, tools)))));
  }
  return results;
}

/** A tool's declaration, or the reason why it is not offered. System tools are listed by their fixed name. */
async function declareTool(name: string, index: AppIndex, tools: Tools): Promise<ToolDeclaration | string> {
  const tool = index.tools.get(name);
  const lastSegment = name.slice(name.lastIndexOf("/") + 1);
  if (!tool) {
    if (!isSystemToolName(lastSegment)) return `Tool '${name}' does not exist; the agent runs without it.`;
    return { ...systemToolDeclaration(lastSegment), tool: name };
  }
  return declared(tool, tools);
}

async function declared(tool: Tool, tools: Tools): Promise<ToolDeclaration | string> {
  try {
    return await tools.declare(tool);
  } catch (error) {
    // Anything else passes: the tool would be missing for as long as the app is not changed.
    if (error instanceof ConnectError && error.code === Code.FailedPrecondition) return error.rawMessage;
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

/** What an agent gets of one of its toolsets. The same `members` array means the same tools. */
interface OpenedToolset {
  readonly attached: Agent_AgentToolset;
  readonly members: readonly ToolsetMember[];
  /** Why the toolset could not be opened. */
  readonly problem?: string;
}

/** The session that toolsets are opened for: requests to other servers may depend on its variables. */
interface ToolsetSession {
  readonly variables: RuleTurn["variables"]["values"];
  readonly signal: AbortSignal;
}

/** Opens the toolsets of an agent side by side. One that cannot be opened costs its own tools, no others (TSET-3). */
function openToolsets(
  attached: readonly Agent_AgentToolset[],
  index: AppIndex,
  tools: Pick<Tools, "open">,
  session: ToolsetSession,
): Promise<readonly OpenedToolset[]> {
  return Promise.all(attached.map((one) => open(one, index, tools, session)));
}

async function open(
  attached: Agent_AgentToolset,
  { app, toolsets }: AppIndex,
  tools: Pick<Tools, "open">,
  { variables, signal }: ToolsetSession,
): Promise<OpenedToolset> {
  const toolset = toolsets.get(attached.toolset);
  if (!toolset) return { attached, members: [], problem: `Toolset '${attached.toolset}' does not exist.` };
  try {
    return { attached, members: await tools.open(toolset, { app: app.name, variables, settings: app, signal }) };
  } catch (error) {
    if (error instanceof ConnectError) return { attached, members: [], problem: error.rawMessage };
    throw error;
  }
}

/** The members that the agent's `tool_ids` let through, all when there are none, and ids that lead to no tool or to several (TSET-1, TSET-12). */
function chosenMembers({ attached, members, problem }: OpenedToolset): {
  readonly chosen: readonly ToolsetMember[];
  readonly problems: readonly string[];
} {
  if (problem !== undefined) return { chosen: [], problems: [problem] };
  const { toolIds, toolset } = attached;
  const matching = nameMatcher(members.map(({ toolId }) => toolId));
  const matches = toolIds.map((id) => ({ id, ids: matching(id) }));
  const listed = new Set(matches.flatMap(({ ids }) => (ids.length === 1 ? ids : [])));
  const chosen = members.filter(({ toolId, hidden }) => !hidden && (toolIds.length === 0 || listed.has(toolId)));
  const problems = matches.flatMap(({ id, ids }) => {
    if (ids.length === 1) return [];
    if (ids.length === 0) return [`Toolset '${toolset}' has no tool '${id}'; the agent runs without it.`];
    const names = ids.map((each) => `'${each}'`).join(", ");
    return [`Toolset '${toolset}' has several tools that fit '${id}' (${names}); the agent runs without them.`];
  });
  return { chosen, problems };
}
