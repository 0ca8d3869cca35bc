import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { collapseUnderscores } from "#base";
import { shortFunctionName } from "#models";
import { ConnectError } from "#status";
import type { ToolContext, Tools, ToolsetMember } from "../contract.ts";
import { toolsetKindOf } from "../toolset-kinds.ts";
import { findByName, memberPrefix } from "../toolset-tool-names.ts";

/**
 * Names of toolset tools that code can call as `tools.X`. The tools of local toolsets are listed. For remote toolsets every
 * identifier in the code with the toolset's prefix is accepted, so that no server is asked for names that the code does not use.
 */
export async function toolsetToolNamesIn(
  code: string,
  context: ToolContext,
  tools: Pick<Tools, "open">,
): Promise<readonly string[]> {
  const names = await Promise.all(
    (context.appToolsets ?? []).map(async (toolset) => {
      if (!toolsetKindOf(toolset)?.local) return identifiersWithPrefix(code, memberPrefix(toolset));
      // The call of one of its tools reports why the toolset cannot be listed.
      const members = await tools.open(toolset, toToolsetContext(context)).catch(statusMessage);
      return typeof members === "string"
        ? identifiersWithPrefix(code, memberPrefix(toolset))
        : [...members.map(({ tool }) => tool.displayName), ...shortNamesIn(code, members)];
    }),
  );
  return names.flat();
}

/** The short names of tools that code calls by those, as code of earlier versions had to. */
function shortNamesIn(code: string, members: readonly ToolsetMember[]): readonly string[] {
  const names = shortNames.get(members) ?? shortNamesOf(members);
  shortNames.set(members, names);
  return names.length > 0 && /\w{64}/.test(code) ? names.filter((name) => code.includes(name)) : [];
}

const shortNames = new WeakMap<readonly ToolsetMember[], readonly string[]>();

function shortNamesOf(members: readonly ToolsetMember[]): readonly string[] {
  return members
    .map(({ tool }) => shortFunctionName(tool.displayName))
    .filter((name, at) => name !== members[at]?.tool.displayName);
}

/** The toolset tool of a name, or why its toolset cannot be listed; undefined when there is none. */
export async function findToolsetTool(
  name: string,
  context: ToolContext,
  tools: Pick<Tools, "open">,
): Promise<Tool | string | undefined> {
  let other: Tool | undefined;
  for (const toolset of context.appToolsets ?? []) {
    if (!canHave(toolset, name)) continue;
    const members = await tools.open(toolset, toToolsetContext(context)).catch(statusMessage);
    if (typeof members === "string") return members;
    const found = findByName(new Map(members.map(({ tool }) => [tool.displayName, tool])), name);
    if (found?.displayName === name) return found;
    other ??= found;
  }
  return other;
}

/** Names begin with the prefix of their toolset unless the prefix is not a valid function name. */
function canHave(toolset: Toolset, name: string): boolean {
  const prefix = memberPrefix(toolset);
  return !/^[A-Za-z_][\w-]*$/.test(prefix) || prefix.length >= name.length || beginsWith(name, prefix);
}

function identifiersWithPrefix(code: string, prefix: string): readonly string[] {
  return [...new Set(code.match(/[\p{L}_][\p{L}\p{N}_]*/gu))].filter((name) => beginsWith(name, prefix));
}

function beginsWith(name: string, prefix: string): boolean {
  return name.startsWith(prefix) || collapseUnderscores(name).startsWith(collapseUnderscores(prefix));
}

function toToolsetContext({ app, python, settings, signal }: ToolContext) {
  return { app, variables: python.state, settings, signal };
}

function statusMessage(error: unknown): string {
  if (error instanceof ConnectError) return error.rawMessage;
  throw error;
}
