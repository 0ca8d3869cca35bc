import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/client";
import type { JsonObject } from "#base";

/** Pages of `tools/list` that are read; a server whose cursors never end would otherwise keep us for ever. */
const MAX_PAGES = 64;
/** Between the attempts to take up a broken stream again, milliseconds: at first, and at most. */
const RECONNECT_MS = { first: 500, longest: 5_000 };
const RECONNECT_ATTEMPTS = 3;

/** A connection to one MCP server. What it rejects with is a library's error: `mcpErrorMessage` words it. */
export interface McpClient {
  /** Every tool that the server offers, all pages. */
  listTools(limits: McpLimits): Promise<readonly ListedTool[]>;
  /** `listed` is the tool in the server's own words, where it is known. */
  callTool(name: string, args: JsonObject, limits: McpLimits, listed?: ListedTool): Promise<CallToolResult>;
  /** Whether the server speaks a revision before 2026-07-28, so that the next connection need not ask. */
  readonly legacy: boolean;
  /** Ends the session on the server where there is one. Never rejects. */
  close(): Promise<void>;
}

export interface McpLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface McpServer {
  /** Sent to as written. */
  readonly address: string;
  /** Carries credentials and headers, and is the only way out. */
  readonly fetch: typeof globalThis.fetch;
  /** Known from an earlier connection; saves asking. Default false. */
  readonly legacy?: boolean;
}

/**
 * Connects to an MCP server over Streamable HTTP: revision 2026-07-28 when it speaks it, else 2025-11-25, 2025-06-18 or
 * 2025-03-26 (TSET-5). We offer nothing of our own: a server that asks for sampling, roots or input is told that nobody
 * answers, and notices that belong to no call are not listened for.
 */
export async function connectMcp(server: McpServer, limits: McpLimits): Promise<McpClient> {
  // Loaded with the first server: it is large, and most apps have none.
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "frontdesk", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
      // Servers' schemas hold servers' regular expressions; they are for the server to check its own answers with.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(server.address), {
    fetch: withoutNotices(server.fetch),
    reconnectionOptions: {
      initialReconnectionDelay: RECONNECT_MS.first,
      maxReconnectionDelay: RECONNECT_MS.longest,
      reconnectionDelayGrowFactor: 2,
      maxRetries: RECONNECT_ATTEMPTS,
    },
  });
  try {
    await client.connect(transport, { ...optionsOf(limits), ...(server.legacy && { prior: { kind: "legacy" } }) });
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    legacy: client.getProtocolEra() !== "modern",
    listTools: async (each) => (await client.listTools(undefined, { ...optionsOf(each), cacheMode: "refresh" })).tools,
    callTool: (name, args, each, listed) =>
      client.callTool({ name, arguments: args }, { ...optionsOf(each), ...(listed && { toolDefinition: listed }) }),
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };
}

function optionsOf({ timeoutMs, signal }: McpLimits) {
  return { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal };
}

/** A stream of notices would stay open between calls; servers may decline it, so it is declined for them. */
function withoutNotices(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (init?.method === "GET" && !headers.has("last-event-id")) return new Response(null, { status: 405 });
    return fetch(input, init);
  };
}
