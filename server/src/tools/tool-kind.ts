import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Clock, Egress, Logger } from "#base";
import type { Outbound } from "#outbound";
import type { Sandbox } from "#sandbox";
import type { Search } from "#search";
import type { ConnectorsConfig } from "./connector/connectors-config.ts";
import type {
  FailedTool,
  HandedTool,
  ToolCall,
  ToolContext,
  ToolDeclaration,
  ToolOutcome,
  ToolPlace,
  Tools,
} from "./contract.ts";
import type { McpClients } from "./mcp/mcp-clients.ts";
import type { McpListings } from "./mcp/mcp-listings.ts";
import type { OpenApiDocuments } from "./open-api/documents.ts";
import type { RemoteAgentCredential } from "./remote-agent/credentials.ts";
import type { RemoteAgents } from "./remote-agent/remote-agents.ts";

/** A case of `Tool.tool_type`. */
export type ToolCase = NonNullable<Tool["toolType"]["case"]>;

/** The message that a case holds. */
export type Definition<Case extends ToolCase> = Extract<Tool["toolType"], { case: Case }>["value"];

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
  readonly mcp: { readonly clients: McpClients; readonly listings: McpListings };
  readonly remoteAgents: RemoteAgents;
  readonly documents: OpenApiDocuments;
}

/** Sentences without a full stop. */
export type Problems = readonly string[];

/** How one kind of tool is declared to the model, and how it runs. */
export interface ToolKind<Case extends ToolCase> {
  readonly runs: ToolPlace;
  /** Rejects with FAILED_PRECONDITION when the definition cannot be offered. */
  declare(definition: Definition<Case>, tool: Tool, deps: KindDeps): Promise<Omit<ToolDeclaration, "runs" | "tool">>;
  /** For tools of the client. Default: the call as it is. */
  handOff?(
    definition: Definition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<HandedTool | FailedTool>;
  /** What is misconfigured, one sentence each without a full stop, found without asking anyone. Default: nothing. */
  problems?(definition: Definition<Case>, tool: Tool, deps: KindDeps): Problems | Promise<Problems>;
  /** The tool's name where its message may leave it out and what it holds says it. */
  nameOf?(definition: Definition<Case>, deps: KindDeps): string | undefined | Promise<string | undefined>;
  /** Never rejects for what the tool did. */
  execute(
    definition: Definition<Case>,
    tool: Tool,
    call: ToolCall,
    context: ToolContext,
    deps: KindDeps,
  ): Promise<ToolOutcome>;
}
