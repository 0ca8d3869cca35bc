import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { LRUCache } from "lru-cache";
import { type Clock, definedFields, steadyClock } from "#base";
import { failedPrecondition } from "#status";
import type { ToolsetContext, ToolsetMember } from "./contract.ts";
import type { DiscoveredTool, KindDeps, ToolsetCase, ToolsetKind } from "./tool-kind.ts";
import { toolsetDefinitionOf, toolsetKindOf } from "./toolset-kinds.ts";
import { memberNames } from "./toolset-tool-names.ts";

interface CachedListing {
  readonly members: Promise<readonly ToolsetMember[]>;
  readonly expiresAt: number;
}

/** Audiences of one toolset whose listings are cached. */
const MAX_AUDIENCES = 100;

/** Lists the tools of toolsets and caches the listings for as long as the kind allows: the same array means the same tools. */
export function createToolsetCache(
  clock: Clock,
): (toolset: Toolset, context: ToolsetContext, deps: KindDeps) => Promise<readonly ToolsetMember[]> {
  const steady = steadyClock(clock);
  const listingsByToolset = new WeakMap<Toolset, LRUCache<string, CachedListing>>();
  return async (toolset, context, deps) => {
    const kind = toolsetKindOf(toolset);
    if (!kind) throw typeMissing(toolset);
    if (context.bypass) return open(kind, toolset, context, deps);
    const audience = kind.audience?.(toolsetDefinitionOf(toolset), context) ?? "";
    const listings = listingsByToolset.get(toolset) ?? new LRUCache<string, CachedListing>({ max: MAX_AUDIENCES });
    listingsByToolset.set(toolset, listings);
    const cached = listings.get(audience);
    if (cached && steady.now() < cached.expiresAt) return cached.members;
    // Concurrent callers share the listing, so one caller's signal must not abort it.
    const members = open(kind, toolset, { ...context, signal: NEVER }, deps);
    listings.set(audience, { members, expiresAt: steady.now() + (kind.freshMs ?? Number.POSITIVE_INFINITY) });
    members.catch(() => listings.delete(audience));
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

/** Execution type, timeout and fakes come from the toolset. */
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
    ...definedFields({ timeout, toolFakeConfig }),
  });
  return { tool, toolId, hidden };
}

function typeMissing({ name, displayName }: Toolset): Error {
  return failedPrecondition(`Toolset '${displayName || name}' has no type.`, {
    reason: "TOOLSET_TYPE_MISSING",
    metadata: { toolset: name },
  });
}
