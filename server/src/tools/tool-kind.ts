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

/** What tool kinds use to do their work. */
export interface ToolDeps {
  readonly sandbox: Pick<Sandbox, "run" | "inspect">;
  /** For requests of user code. */
  readonly egress: Pick<Egress, "fetch">;
  /** For requests of tools themselves. Default: none can be made. */
  readonly outbound?: Outbound;
  /** Finds things in data stores, files and the web. Default: nothing can be searched. */
  readonly search?: Search;
  /** Connections of connector tools. Default: none. */
  readonly connectors?: ConnectorsConfig;
  /** As whom remote agents are called. Default: as nobody. */
  readonly remoteAgentCredentials?: readonly RemoteAgentCredential[];
  /** Default: the machine's. */
  readonly clock?: Clock;
  readonly logger: Logger;
}

/** The deps of a kind: `tools` serves nested calls. */
export interface KindDeps extends Required<ToolDeps> {
  readonly tools: Tools;
  readonly mcp: { readonly clients: McpConnections; readonly listings: McpToolLists };
  readonly remoteAgents: RemoteAgents;
  readonly documents: OpenApiDocuments;
}

/** Sentences without a full stop. */
export type Problems = readonly string[];

/** How one kind of tool is declared to the model, and how it runs. */
export interface ToolKind<Case extends ToolCase> {
  readonly runs: ToolPlace;
  /** Rejects with FAILED_PRECONDITION when the definition cannot be offered. */
  declare(
    definition: ToolDefinition<Case>,
    tool: Tool,
    deps: KindDeps,
  ): Promise<Omit<ToolDeclaration, "runs" | "tool">>;
  /** For tools of the client. Default: the call as it is. */
  prepareClientCall?(
    definition: ToolDefinition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<ClientCall | FailedTool>;
  /** What is misconfigured, one sentence each without a full stop, found without asking anyone. Default: nothing. */
  problems?(definition: ToolDefinition<Case>, tool: Tool, deps: KindDeps): Problems | Promise<Problems>;
  /** The tool's name where its message may leave it out and what it holds says it. */
  nameOf?(definition: ToolDefinition<Case>, deps: KindDeps): string | undefined | Promise<string | undefined>;
  /** Never rejects for what the tool did. */
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

/** One tool of a toolset, as its kind found it. Names, time-out, fakes and way of execution are added by the door. */
export interface DiscoveredTool {
  /** What `tool_ids`, `ToolsetTool.tool_id` and the last part of its resource name say: unique in the toolset. */
  readonly toolId: string;
  /** What its name begins to be made of, where that is not the id (a `name_override` of MCP). */
  readonly nameOverride?: string;
  /** Listed by RetrieveTools, but not offered to any model. Default false. */
  readonly hidden?: boolean;
  /** The tool in its own type, e.g. an `mcpTool`: what RetrieveTools answers, and what runs like any tool of that type. */
  readonly toolType: Tool["toolType"];
}

/** How the tools of one kind of toolset are found. How they are declared and run is the business of their `ToolKind`. */
export interface ToolsetKind<Case extends ToolsetCase> {
  /**
   * Whether opening asks nobody else, so that it may be done whenever names are needed. A remote toolset is opened when an agent
   * has it, a request names it, or code that is to run writes its prefix.
   */
  readonly local: boolean;
  /** Milliseconds for which what was found is taken for true. Default: as long as the toolset's message lives. */
  readonly freshMs?: number;
  /** Tells sessions apart to whom the other side may offer different tools, e.g. by the values of headers. Default: all alike. */
  audience?(definition: ToolsetDefinition<Case>, context: ToolsetContext): string;
  /** The tools. Rejects with FAILED_PRECONDITION when the definition cannot be opened, with what the agent then goes without. */
  open(
    definition: ToolsetDefinition<Case>,
    toolset: Toolset,
    deps: KindDeps,
    context: ToolsetContext,
  ): Promise<readonly DiscoveredTool[]>;
  /**
   * The toolset with what the other side says of it now in its output-only fields, asked when it is written. Never rejects: a
   * server that is away is told of by `problems`. Default: the toolset as it is.
   */
  refreshSnapshots?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Promise<Toolset>;
  /** The ids of its tools, where they are known without asking anyone. Default: they are not. */
  knownToolIds?(definition: ToolsetDefinition<Case>, deps: KindDeps): Promise<readonly string[] | undefined>;
  /** What is misconfigured, one sentence each without a full stop, found without asking anyone. Default: nothing. */
  problems?(definition: ToolsetDefinition<Case>, toolset: Toolset, deps: KindDeps): Problems | Promise<Problems>;
}
