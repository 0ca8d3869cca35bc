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
/** Limit of remembered failures. */
const MAX_FAILURES = 1_000;

/** The last tool lists of servers, so that a short outage does not remove a server's tools. */
export interface McpToolLists {
  store(endpoint: McpEndpoint, audience: string, offered: readonly OfferedTool[]): void;
  /** Undefined when the server has not listed its tools for this audience within an hour. */
  stored(endpoint: McpEndpoint, audience: string): readonly OfferedTool[] | undefined;
  /** Suppresses requests to the server for this audience for some seconds. */
  suppress(endpoint: McpEndpoint, audience: string, why: string): void;
  /** Why the server is not asked now; undefined = it may be asked. */
  suppressed(endpoint: McpEndpoint, audience: string): string | undefined;
  /** Why a server did not respond to an app's last request; undefined when it did. */
  failure(app: string, address: string): string | undefined;
  /** Sets the failure; undefined = the server responded. */
  noteFailure(app: string, address: string, why: string | undefined): void;
  /** Stores the server's own message of a tool, as long as `tool` lives. */
  setListed(tool: McpTool, listed: ListedTool): void;
  listed(tool: McpTool): ListedTool | undefined;
}

/** Creates empty lists. Entries live no longer than their toolset's message. */
export function createMcpToolLists(now: () => number): McpToolLists {
  const lists = createExpiringMap<readonly OfferedTool[]>(now);
  const absences = createExpiringMap<string>(now);
  const failures = new Map<string, string>();
  const listedTools = new WeakMap<McpTool, ListedTool>();
  return {
    failure: (app, address) => failures.get(`${app} ${address}`),
    noteFailure: (app, address, why) => {
      failures.delete(`${app} ${address}`);
      if (failures.size >= MAX_FAILURES) failures.clear();
      if (why !== undefined) failures.set(`${app} ${address}`, why);
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
