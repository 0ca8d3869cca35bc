import type { Tool } from "@frontdesk/protos/ces/tool";
import { systemClock } from "#base";
import { closedOutbound } from "#outbound";
import { noSearch } from "#search";
import { failedPrecondition } from "#status";
import { acceptableSchema } from "./acceptable-schema.ts";
import { NO_CONNECTORS } from "./connector/connectors-config.ts";
import type { ToolDeclaration, Tools } from "./contract.ts";
import { runFake } from "./fakes.ts";
import { createHostCalls } from "./host-calls.ts";
import { createMcpClients } from "./mcp/mcp-clients.ts";
import { createMcpListings } from "./mcp/mcp-listings.ts";
import { createOpenApiDocuments } from "./open-api/documents.ts";
import { createOpenedToolsets, toolsetDefinitionOf, toolsetKindOf } from "./opened-toolsets.ts";
import { failed } from "./outcomes.ts";
import { createRemoteAgents } from "./remote-agent/remote-agents.ts";
import type { KindDeps, ToolCase, ToolDeps, ToolKind } from "./tool-kind.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";
import { toolName } from "./tool-name.ts";

export type { ToolDeps as ToolsDeps } from "./tool-kind.ts";

/** Creates the tools of all apps: stateless but for declarations, which are kept as long as their tool message is. */
export function createTools(given: ToolDeps): Tools {
  const deps = {
    outbound: closedOutbound("Tools call no other servers here."),
    clock: systemClock,
    search: noSearch,
    connectors: NO_CONNECTORS,
    remoteAgentCredentials: [],
    ...given,
  };
  const declarations = new WeakMap<Tool, Promise<ToolDeclaration>>();
  const openToolset = createOpenedToolsets(deps.clock);
  const tools: Tools = {
    declare: (tool) => {
      const known = declarations.get(tool);
      if (known) return known;
      const declaration = declare(tool, kindDeps);
      declarations.set(tool, declaration);
      declaration.catch(() => declarations.delete(tool));
      return declaration;
    },
    open: (toolset, context) => openToolset(toolset, context, kindDeps),
    problems: async (subject) =>
      subject.$typeName === "google.cloud.ces.v1beta.Tool"
        ? ((await kindOf(subject)?.problems?.(definitionOf(subject), subject, kindDeps)) ?? [])
        : ((await toolsetKindOf(subject)?.problems?.(toolsetDefinitionOf(subject), subject, kindDeps)) ?? []),
    settle: async (toolset) =>
      (await toolsetKindOf(toolset)?.settle?.(toolsetDefinitionOf(toolset), toolset, kindDeps)) ?? toolset,
    knownToolIds: async (toolset) => toolsetKindOf(toolset)?.knownToolIds?.(toolsetDefinitionOf(toolset), kindDeps),
    nameOf: async (tool) => kindOf(tool)?.nameOf?.(definitionOf(tool), kindDeps),
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
    close: () => kindDeps.mcp.clients.close(),
  };
  const kindDeps: KindDeps = {
    ...deps,
    tools,
    mcp: { clients: createMcpClients(), listings: createMcpListings(() => deps.clock.now()) },
    remoteAgents: createRemoteAgents(),
    documents: createOpenApiDocuments(),
  };
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
  const declared = await kind.declare(definitionOf(tool), tool, deps);
  return { ...declared, parameters: acceptableSchema(declared.parameters), tool: tool.name, runs: kind.runs };
}

/** The kind of a tool. The table pairs each case with its own message, which the two casts below restate. */
function kindOf(tool: Tool): ToolKind<ToolCase> | undefined {
  return tool.toolType.case && (TOOL_KINDS[tool.toolType.case] as unknown as ToolKind<ToolCase>);
}

function definitionOf(tool: Tool): NonNullable<Tool["toolType"]["value"]> {
  return tool.toolType.value as NonNullable<Tool["toolType"]["value"]>;
}
