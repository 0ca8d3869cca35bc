import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { ConnectError } from "#status";
import type { ToolContext, Tools } from "../contract.ts";
import { toolsetKindOf } from "../toolset-kinds.ts";
import { memberPrefix } from "../toolset-tool-names.ts";

/**
 * Names of toolsets' tools under `tools.` for code that is about to run. Those of toolsets that ask nobody are known; of the
 * others whatever the code writes with their prefix is let through, so that nobody is asked for names that no code calls.
 */
export async function toolsetToolNamesIn(
  code: string,
  context: ToolContext,
  tools: Pick<Tools, "open">,
): Promise<readonly string[]> {
  const names = await Promise.all(
    (context.appToolsets ?? []).map(async (toolset) => {
      if (!toolsetKindOf(toolset)?.local) return writtenNames(code, memberPrefix(toolset));
      // Why it cannot be opened is heard by whoever calls one of its tools.
      const members = await tools.open(toolset, openingOf(context)).catch(refusedOnly);
      return typeof members === "string"
        ? writtenNames(code, memberPrefix(toolset))
        : members.map(({ tool }) => tool.displayName);
    }),
  );
  return names.flat();
}

/** The toolset's tool of a name, or why its toolset cannot be opened; undefined when there is none. */
export async function findToolsetTool(
  name: string,
  context: ToolContext,
  tools: Pick<Tools, "open">,
): Promise<Tool | string | undefined> {
  for (const toolset of context.appToolsets ?? []) {
    if (!mayHave(toolset, name)) continue;
    const members = await tools.open(toolset, openingOf(context)).catch(refusedOnly);
    if (typeof members === "string") return members;
    const member = members.find(({ tool }) => tool.displayName === name);
    if (member) return member.tool;
  }
  return undefined;
}

/** Names begin with the prefix of their toolset unless that is nothing that models can call. */
function mayHave(toolset: Toolset, name: string): boolean {
  const prefix = memberPrefix(toolset);
  return !/^[A-Za-z_][\w-]*$/.test(prefix) || prefix.length >= name.length || name.startsWith(prefix);
}

function writtenNames(code: string, prefix: string): readonly string[] {
  return [...new Set(code.match(/[\p{L}_][\p{L}\p{N}_]*/gu))].filter((name) => name.startsWith(prefix));
}

function openingOf({ app, python, settings, signal }: ToolContext) {
  return { app, variables: python.state, settings, signal };
}

function refusedOnly(error: unknown): string {
  if (error instanceof ConnectError) return error.rawMessage;
  throw error;
}
