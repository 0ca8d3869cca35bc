import type { Tool } from "@frontdesk/protos/ces/tool";
import { failedPrecondition } from "#status";
import type { ToolDeclaration, Tools } from "./contract.ts";
import { runFake } from "./fakes.ts";
import { createHostCalls } from "./host-calls.ts";
import { failed } from "./outcomes.ts";
import type { KindDeps, ToolCase, ToolDeps, ToolKind } from "./tool-kind.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";
import { toolName } from "./tool-name.ts";

export type { ToolDeps as ToolsDeps } from "./tool-kind.ts";

/** Creates the tools of all apps: stateless but for declarations, which are kept as long as their tool message is. */
export function createTools(deps: ToolDeps): Tools {
  const declarations = new WeakMap<Tool, Promise<ToolDeclaration>>();
  const tools: Tools = {
    declare: (tool) => {
      const known = declarations.get(tool);
      if (known) return known;
      const declaration = declare(tool, kindDeps);
      declarations.set(tool, declaration);
      declaration.catch(() => declarations.delete(tool));
      return declaration;
    },
    placeOf: (tool) => kindOf(tool)?.runs ?? "server",
    fake: (tool, call, context) => runFake(tool, call, context, kindDeps),
    execute: async (tool, call, context) => {
      const kind = kindOf(tool);
      if (!kind) return failed(`Tool '${toolName(tool)}' has no type.`);
      const faked = await tools.fake(tool, call, context);
      return faked ?? kind.execute(definitionOf(tool), tool, call, context, kindDeps);
    },
    handOff: async (tool, call, context) =>
      (await kindOf(tool)?.handOff?.(definitionOf(tool), tool, call, context, kindDeps)) ?? {
        kind: "ready",
        args: call.args,
      },
    hostCalls: (context, onCall) => createHostCalls(context, onCall, kindDeps),
  };
  const kindDeps: KindDeps = { ...deps, tools };
  return tools;
}

async function declare(tool: Tool, deps: KindDeps): Promise<ToolDeclaration> {
  const kind = kindOf(tool);
  if (!kind) {
    throw failedPrecondition(`Tool '${toolName(tool)}' has no type.`, {
      reason: "TOOL_TYPE_MISSING",
      metadata: { tool: tool.name },
    });
  }
  return { ...(await kind.declare(definitionOf(tool), tool, deps)), tool: tool.name, runs: kind.runs };
}

/** The kind of a tool. The table pairs each case with its own message, which the two casts below restate. */
function kindOf(tool: Tool): ToolKind<ToolCase> | undefined {
  return tool.toolType.case && (TOOL_KINDS[tool.toolType.case] as unknown as ToolKind<ToolCase>);
}

function definitionOf(tool: Tool): NonNullable<Tool["toolType"]["value"]> {
  return tool.toolType.value as NonNullable<Tool["toolType"]["value"]>;
}
