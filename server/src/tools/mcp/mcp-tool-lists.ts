import type { McpTool } from "@frontdesk/protos/ces/mcp_tool";
import type { McpToolDefinition } from "@frontdesk/protos/ces/mcp_toolset";
import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import type { McpEndpoint } from "./mcp-route.ts";

/** A tool as its server lists it. */
export interface OfferedTool extends Pick<McpToolDefinition, "description" | "inputSchema" | "outputSchema"> {
  readonly name: string;
  /** The server's own message, kept when calls need it: `x-mcp-header` asks to repeat arguments as headers. */
  readonly listed?: ListedTool;
}

/** How long a list is used while its server does not respond, milliseconds (TSET-11). */
const STALE_LIST_MS = 60 * 60_000;
/** How long a server that did not respond is not asked again, milliseconds, so that turns do not wait for it one after the other. */
const BACKOFF_MS = 15_000;
/** Limit of audiences of one toolset. */
const MAX_AUDIENCES = 100;
/** Limit of servers whose problems are remembered. */
const MAX_PROBLEMS = 1_000;

/** The last tool lists of servers, so that a short outage does not remove a server's tools. */
export interface McpToolLists {
  store(endpoint: McpEndpoint, audience: string, offered: readonly OfferedTool[]): void;
  /** Undefined when the server has not listed its tools for this audience within an hour. */
  stored(endpoint: McpEndpoint, audience: string): readonly OfferedTool[] | undefined;
  /** Suppresses requests to the server for this audience for some seconds. */
  suppress(endpoint: McpEndpoint, audience: string, why: string): void;
  /** Why the server is not asked now; undefined = it may be asked. */
  suppressed(endpoint: McpEndpoint, audience: string): string | undefined;
  /** What an app's author should know of the server of a toolset as it last answered, or did not: sentences without a full stop. */
  problems(toolset: string, address: string): readonly string[];
  /** Sets them. */
  noteProblems(toolset: string, address: string, problems: readonly string[]): void;
  /** Stores the server's own message of a tool, as long as `tool` lives. */
  setListed(tool: McpTool, listed: ListedTool): void;
  listed(tool: McpTool): ListedTool | undefined;
}

/** Creates empty lists. Entries live no longer than their toolset's message. */
export function createMcpToolLists(now: () => number): McpToolLists {
  const lists = createExpiringMap<readonly OfferedTool[]>(now);
  const absences = createExpiringMap<string>(now);
  const problems = new Map<string, readonly string[]>();
  const listedTools = new WeakMap<McpTool, ListedTool>();
  return {
    problems: (toolset, address) => problems.get(`${toolset} ${address}`) ?? [],
    noteProblems: (toolset, address, found) => {
      problems.delete(`${toolset} ${address}`);
      if (problems.size >= MAX_PROBLEMS) problems.clear();
      if (found.length > 0) problems.set(`${toolset} ${address}`, found);
    },
    setListed: (tool, listed) => void listedTools.set(tool, listed),
    listed: (tool) => listedTools.get(tool),
    store: (endpoint, audience, offered) => lists.set(endpoint, audience, offered, STALE_LIST_MS),
    stored: lists.get,
    suppress: (endpoint, audience, why) => absences.set(endpoint, audience, why, BACKOFF_MS),
    suppressed: absences.get,
  };
}

/** Values with an expiry for each toolset and audience. */
function createExpiringMap<T>(now: () => number) {
  const entries = new WeakMap<McpEndpoint, Map<string, { readonly value: T; readonly expiresAt: number }>>();
  return {
    set: (endpoint: McpEndpoint, audience: string, value: T, milliseconds: number) => {
      const audiences = entries.get(endpoint) ?? new Map();
      entries.set(endpoint, audiences);
      if (audiences.size >= MAX_AUDIENCES) audiences.clear();
      audiences.set(audience, { value, expiresAt: now() + milliseconds });
    },
    get: (endpoint: McpEndpoint, audience: string): T | undefined => {
      const found = entries.get(endpoint)?.get(audience);
      return found && found.expiresAt > now() ? found.value : undefined;
    },
  };
}
