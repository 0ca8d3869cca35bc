import type { McpTool } from "@frontdesk/protos/ces/mcp_tool";
import type { McpToolDefinition } from "@frontdesk/protos/ces/mcp_toolset";
import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import type { McpEndpoint } from "./mcp-route.ts";

/** A tool as its server offers it now. */
export interface OfferedTool extends Pick<McpToolDefinition, "description" | "inputSchema" | "outputSchema"> {
  readonly name: string;
  /** The server's own words, where calls need them: arguments that a `x-mcp-header` wants repeated as headers. */
  readonly listed?: ListedTool;
}

/** How long a list serves while its server does not answer, milliseconds (TSET-11). */
const KEPT_MS = 60 * 60_000;
/** How long a server that did not answer is left alone, milliseconds: turns would otherwise wait for it one after the other. */
const SPARED_MS = 15_000;
/** Audiences of one toolset of which a list is kept. */
const MAX_AUDIENCES = 100;
/** Servers of which it is remembered that they did not answer. */
const MAX_FAILURES = 1_000;

/** What servers offered when they last answered, so that one that is away for a moment does not take its tools along. */
export interface McpToolLists {
  keep(endpoint: McpEndpoint, audience: string, offered: readonly OfferedTool[]): void;
  /** Undefined when the server has not answered for this audience for an hour. */
  kept(endpoint: McpEndpoint, audience: string): readonly OfferedTool[] | undefined;
  /** Remembers for a moment that the server did not answer this audience. */
  spare(endpoint: McpEndpoint, audience: string, why: string): void;
  /** Why the server is not asked again just now; undefined = it may be. */
  spared(endpoint: McpEndpoint, audience: string): string | undefined;
  /** Why a server did not answer an app when it was asked last; undefined when it did. */
  failure(app: string, address: string): string | undefined;
  /** Remembers it; undefined = the server answered. */
  noteFailure(app: string, address: string, why: string | undefined): void;
  /** Remembers a tool in its server's own words, for as long as the message that stands for it lives. */
  describe(tool: McpTool, listed: ListedTool): void;
  described(tool: McpTool): ListedTool | undefined;
}

/** Creates the memory: a list lives as long as its toolset's message. */
export function createMcpToolLists(now: () => number): McpToolLists {
  const listings = createMemory<readonly OfferedTool[]>(now);
  const absences = createMemory<string>(now);
  const failures = new Map<string, string>();
  const descriptions = new WeakMap<McpTool, ListedTool>();
  return {
    failure: (app, address) => failures.get(`${app} ${address}`),
    noteFailure: (app, address, why) => {
      failures.delete(`${app} ${address}`);
      if (failures.size >= MAX_FAILURES) failures.clear();
      if (why !== undefined) failures.set(`${app} ${address}`, why);
    },
    describe: (tool, listed) => void descriptions.set(tool, listed),
    described: (tool) => descriptions.get(tool),
    keep: (endpoint, audience, offered) => listings.set(endpoint, audience, offered, KEPT_MS),
    kept: listings.get,
    spare: (endpoint, audience, why) => absences.set(endpoint, audience, why, SPARED_MS),
    spared: absences.get,
  };
}

/** Something of a toolset for each audience, for a while. */
function createMemory<T>(now: () => number) {
  const memory = new WeakMap<McpEndpoint, Map<string, { readonly value: T; readonly until: number }>>();
  return {
    set: (endpoint: McpEndpoint, audience: string, value: T, milliseconds: number) => {
      const audiences = memory.get(endpoint) ?? new Map();
      memory.set(endpoint, audiences);
      if (audiences.size >= MAX_AUDIENCES) audiences.clear();
      audiences.set(audience, { value, until: now() + milliseconds });
    },
    get: (endpoint: McpEndpoint, audience: string): T | undefined => {
      const found = memory.get(endpoint)?.get(audience);
      return found && found.until > now() ? found.value : undefined;
    },
  };
}
