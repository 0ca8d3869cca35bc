import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { Clock } from "#base";
import { failedPrecondition } from "#status";
import type { ToolsetContext, ToolsetMember } from "./contract.ts";
import type { DiscoveredTool, KindDeps, ToolsetCase, ToolsetKind } from "./tool-kind.ts";
import { toolsetDefinitionOf, toolsetKindOf } from "./toolset-kinds.ts";
import { memberNames } from "./toolset-tool-names.ts";

interface Opening {
  readonly members: Promise<readonly ToolsetMember[]>;
  readonly freshUntil: number;
}

/** Audiences of one toolset that are remembered; the oldest goes first. */
const MOST_AUDIENCES = 100;

/** Opens toolsets and remembers what was found, as long as its kind says: the same array means the same tools. */
export function createToolsetCache(
  clock: Clock,
): (toolset: Toolset, context: ToolsetContext, deps: KindDeps) => Promise<readonly ToolsetMember[]> {
  const opened = new WeakMap<Toolset, Map<string, Opening>>();
  return async (toolset, context, deps) => {
    const kind = toolsetKindOf(toolset);
    if (!kind) throw typeMissing(toolset);
    if (context.bypass) return open(kind, toolset, context, deps);
    const audience = kind.audience?.(toolsetDefinitionOf(toolset), context) ?? "";
    const openings = opened.get(toolset) ?? new Map<string, Opening>();
    opened.set(toolset, openings);
    const known = openings.get(audience);
    if (known && clock.now() < known.freshUntil) return known.members;
    // What one caller gives up on must not be lost to the others who wait for it.
    const members = open(kind, toolset, { ...context, signal: NEVER }, deps);
    openings.delete(audience);
    openings.set(audience, { members, freshUntil: clock.now() + (kind.freshMs ?? Number.POSITIVE_INFINITY) });
    const [oldest] = openings.keys();
    if (openings.size > MOST_AUDIENCES && oldest !== undefined) openings.delete(oldest);
    members.catch(() => openings.delete(audience));
    return members;
  };
}

const NEVER = new AbortController().signal;

async function open(
  kind: ToolsetKind<ToolsetCase>,
  toolset: Toolset,
  context: ToolsetContext,
  deps: KindDeps,
): Promise<readonly ToolsetMember[]> {
  const found = await kind.open(toolsetDefinitionOf(toolset), toolset, deps, context);
  const names = memberNames(
    toolset,
    found.map(({ toolId, nameOverride }) => nameOverride ?? toolId),
  );
  return found.map((tool, position) => toMember(tool, names[position] ?? tool.toolId, toolset));
}

/** The tool takes from its toolset what is said for all of them. */
function toMember(
  { toolId, toolType, hidden = false }: DiscoveredTool,
  displayName: string,
  toolset: Toolset,
): ToolsetMember {
  const { name, executionType, timeout, toolFakeConfig } = toolset;
  const tool: Tool = create(ToolSchema, {
    name: `${name}/tools/${toolId}`,
    displayName,
    executionType,
    toolType,
    ...(timeout && { timeout }),
    ...(toolFakeConfig && { toolFakeConfig }),
  });
  return { tool, toolId, hidden };
}

function typeMissing({ name, displayName }: Toolset): Error {
  return failedPrecondition(`Toolset '${displayName || name}' has no type.`, {
    reason: "TOOLSET_TYPE_MISSING",
    metadata: { toolset: name },
  });
}
