import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import type { Clock, Egress, Logger } from "#base";
import type { Outbound } from "#outbound";
import type { Sandbox } from "#sandbox";
import type { Search } from "#search";
import type { ConnectorsConfig } from "./connector/connectors-config.ts";
import type {
  ClientCall,
  FailedTool,
  ToolCall,
  ToolContext,
  ToolDeclaration,
  ToolOutcome,
  ToolPlace,
  Tools,
  ToolsetContext,
} from "./contract.ts";
import type { McpConnections } from "./mcp/mcp-connections.ts";
import type { McpToolLists } from "./mcp/mcp-tool-lists.ts";
import type { OpenApiDocuments } from "./open-api/documents.ts";
import type { RemoteAgentCredential } from "./remote-agent/remote-agent-credentials.ts";
import type { RemoteAgents } from "./remote-agent/remote-agents.ts";

/** A case of `Tool.tool_type`. */
export type ToolCase = NonNullable<Tool["toolType"]["case"]>;

/** The message that a case holds. */
export type ToolDefinition<Case extends ToolCase> = Extract<Tool["toolType"], { case: Case }>["value"];

/** Dependencies of `createTools`. */
export interface ToolDeps {
  readonly sandbox: Pick<Sandbox, "run" | "inspect">;
  /** Sends requests of user code. */
  readonly egress: Pick<Egress, "fetch">;
  /** Sends requests of tools. Default: none is possible. */
  readonly outbound?: Outbound;
  /** Searches data stores, files and the web. Default: nothing can be searched. */
  readonly search?: Search;
  /** Connections of connector tools. Default: none. */
  readonly connectors?: ConnectorsConfig;
  /** Credentials for remote agents. Default: none. */
  readonly remoteAgentCredentials?: readonly RemoteAgentCredential[];
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly logger: Logger;
}

/** Dependencies of a tool kind. `tools` serves nested calls. */
export interface KindDeps extends Required<ToolDeps> {
  readonly tools: Tools;
  readonly mcp: { readonly connections: McpConnections; readonly lists: McpToolLists };
  readonly remoteAgents: RemoteAgents;
  readonly documents: OpenApiDocuments;
}

/** Sentences without a full stop. */
type Problems = readonly string[];

/** How one kind of tool is declared to the model, validated and executed. */
export interface ToolKind<Case extends ToolCase> {
  readonly runs: ToolPlace;
  /** Rejects with FAILED_PRECONDITION when the definition cannot be declared. */
  declare(
    definition: ToolDefinition<Case>,
    tool: Tool,
    deps: KindDeps,
  ): Promise<Omit<ToolDeclaration, "runs" | "tool">>;
  /** For client tools. Default: the call unchanged. */
  prepareClientCall?(
    definition: ToolDefinition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<ClientCall | FailedTool>;
  /** Validation errors, one sentence each without a full stop. Must send no request. Default: none. */
  problems?(definition: ToolDefinition<Case>, tool: Tool, deps: KindDeps): Problems | Promise<Problems>;
  /** The tool's name where the message may omit it and the definition implies it. */
  nameOf?(definition: ToolDefinition<Case>, deps: KindDeps): string | undefined | Promise<string | undefined>;
  /** Never rejects because of what the tool did. */
  execute(
    definition: ToolDefinition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<ToolOutcome>;
}

/** A case of `Toolset.toolset_type`. */
export type ToolsetCase = NonNullable<Toolset["toolsetType"]["case"]>;

/** The message that a case holds. */
export type ToolsetDefinition<Case extends ToolsetCase> = Extract<Toolset["toolsetType"], { case: Case }>["value"];

/** One tool of a toolset, as its kind lists it. The toolset cache adds name, timeout, fakes and execution type. */
export interface DiscoveredTool {
  /** The id in `tool_ids`, `ToolsetTool.tool_id` and the resource name: unique in the toolset. */
  readonly toolId: string;
  /** Replaces the id in the function name (a `name_override` of MCP). */
  readonly nameOverride?: string;
  /** Listed by RetrieveTools, but not declared to models. Default false. */
  readonly hidden?: boolean;
  /** The tool in its own type, e.g. an `mcpTool`: RetrieveTools returns it, and it runs like any tool of that type. */
  readonly toolType: Tool["toolType"];
}

/** How the tools of one kind of toolset are listed. Their `ToolKind` declares and runs them. */
export interface ToolsetKind<Case extends ToolsetCase> {
  /**
   * Whether listing sends no request, so that it can be done whenever names are needed. A remote toolset is listed when an agent uses
   * it, a request names it, or code that is about to run contains its prefix.
   */
  readonly local: boolean;
  /** Milliseconds for which a listing is cached. Default: as long as the toolset's message lives. */
  readonly freshMs?: number;
  /** Cache key of sessions that may get different tools from the server, e.g. by header values. Default: one for all sessions. */
  audience?(definition: ToolsetDefinition<Case>, context: ToolsetContext): string;
  /** Lists the tools. Rejects with FAILED_PRECONDITION when that is not possible; the agent then runs without them. */
  open(
    definition: ToolsetDefinition<Case>,
    toolset: Toolset,
    deps: KindDeps,
    context: ToolsetContext,
  ): Promise<readonly DiscoveredTool[]>;
  /**
   * Fills output-only fields from the server when the toolset is written. Never rejects: an unreachable server is reported by
   * `problems`. Default: the toolset unchanged.
   */
  refreshSnapshots?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Promise<Toolset>;
  /** The ids of its tools, where no request is needed to know them. Default: unknown. */
  knownToolIds?(definition: ToolsetDefinition<Case>, deps: KindDeps): Promise<readonly string[] | undefined>;
  /** Validation errors, one sentence each without a full stop. Must send no request. Default: none. */
  problems?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Problems | Promise<Problems>;
}
