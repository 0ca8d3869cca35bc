import type { Tool } from "@frontdesk/protos/ces/tool";
import { steadyClock, systemClock } from "#base";
import { closedOutbound } from "#outbound";
import { NotInspected } from "#sandbox";
import { noSearch } from "#search";
import { failedPrecondition } from "#status";
import { NO_CONNECTORS } from "./connector/connectors-config.ts";
import type { ClientCall, FailedTool, ToolCall, ToolContext, ToolDeclaration, ToolOutcome, Tools } from "./contract.ts";
import { createMcpConnections } from "./mcp/mcp-connections.ts";
import { createMcpToolLists } from "./mcp/mcp-tool-lists.ts";
import { createOpenApiDocuments } from "./open-api/documents.ts";
import { failed } from "./outcomes.ts";
import { createHostCalls } from "./python/host-calls.ts";
import { createRemoteAgents } from "./remote-agent/remote-agents.ts";
import { acceptableSchema } from "./schema/portable-schema.ts";
import { contextAfter, joinRecords, runFake } from "./tool-fakes.ts";
import type { KindDeps, ToolDeps } from "./tool-kind.ts";
import { toolDefinitionOf, toolKindOf } from "./tool-kinds.ts";
import { toolName } from "./tool-name.ts";
import { createToolsetCache } from "./toolset-cache.ts";
import { toolsetDefinitionOf, toolsetKindOf } from "./toolset-kinds.ts";

/** Creates the tools of all apps. Declarations are cached as long as their tool message lives. */
export function createTools(options: ToolDeps): Tools {
  const deps = {
    outbound: closedOutbound("Tools cannot call other servers here."),
    clock: systemClock,
    search: noSearch,
    connectors: NO_CONNECTORS,
    remoteAgentCredentials: [],
    ...options,
  };
  const declarations = new WeakMap<Tool, Promise<ToolDeclaration>>();
  const openToolset = createToolsetCache(deps.clock);
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
        ? ((await toolKindOf(subject)?.problems?.(toolDefinitionOf(subject), subject, kindDeps)) ?? [])
        : ((await toolsetKindOf(subject)?.problems?.(toolsetDefinitionOf(subject), subject, kindDeps)) ?? []),
    refreshSnapshots: async (toolset) =>
      (await toolsetKindOf(toolset)?.refreshSnapshots?.(toolsetDefinitionOf(toolset), toolset, kindDeps)) ?? toolset,
    knownToolIds: async (toolset) => toolsetKindOf(toolset)?.knownToolIds?.(toolsetDefinitionOf(toolset), kindDeps),
    nameOf: async (tool) => toolKindOf(tool)?.nameOf?.(toolDefinitionOf(tool), kindDeps),
    placeOf: (tool) => toolKindOf(tool)?.runs ?? "server",
    execute: (tool, call, context) => execute(tool, call, context, kindDeps).catch(failureOfInspection),
    prepareClientCall: (tool, call, context) =>
      prepareClientCall(tool, call, context, kindDeps).catch(failureOfInspection),
    hostCalls: (context, onCall) => createHostCalls(context, onCall, kindDeps),
    close: () => kindDeps.mcp.connections.close(),
  };
  const kindDeps: KindDeps = {
    ...deps,
    tools,
    mcp: { connections: createMcpConnections(), lists: createMcpToolLists(steadyClock(deps.clock).now) },
    remoteAgents: createRemoteAgents(),
    documents: createOpenApiDocuments(),
  };
  return tools;
}

async function execute(tool: Tool, call: ToolCall, context: ToolContext, deps: KindDeps): Promise<ToolOutcome> {
  const kind = toolKindOf(tool);
  if (!kind) return failed(`Tool '${toolName(tool)}' has no type.`);
  const fake = await runFake(tool, call, context, deps);
  if (fake?.kind === "faked") return fake.outcome;
  const outcome = await kind.execute(toolDefinitionOf(tool), tool, call, contextAfter(fake, context), deps);
  return fake ? { ...outcome, ...joinRecords(fake.record, outcome) } : outcome;
}

async function prepareClientCall(tool: Tool, call: ToolCall, context: ToolContext, deps: KindDeps) {
  const fake = await runFake(tool, call, context, deps);
  if (fake?.kind === "faked") return fake.outcome;
  const prepare = toolKindOf(tool)?.prepareClientCall;
  const after = contextAfter(fake, context);
  const prepared = (await prepare?.(toolDefinitionOf(tool), tool, call, after, deps)) ?? readyCall(call);
  if (!fake) return prepared;
  if (prepared.kind === "failed") return { ...prepared, ...joinRecords(fake.record, prepared) };
  return { ...prepared, record: joinRecords(fake.record, prepared.record) };
}

/** A call whose file no guest looked at fails as one that no guest ran: the model gets the error, and the turn goes on (TOOL-56). */
function failureOfInspection(error: unknown): FailedTool {
  if (error instanceof NotInspected) return failed(`Python function execution failed: ${error.message}`);
  throw error;
}

function readyCall({ args }: ToolCall): ClientCall {
  return { kind: "ready", args };
}

async function declare(tool: Tool, deps: KindDeps): Promise<ToolDeclaration> {
  const kind = toolKindOf(tool);
  if (!kind) {
    throw failedPrecondition(`Tool '${toolName(tool)}' has no type.`, {
      reason: "TOOL_TYPE_MISSING",
      metadata: { tool: tool.name },
    });
  }
  const declared = await kind.declare(toolDefinitionOf(tool), tool, deps);
  return { ...declared, parameters: acceptableSchema(declared.parameters), tool: tool.name, runs: kind.runs };
}
