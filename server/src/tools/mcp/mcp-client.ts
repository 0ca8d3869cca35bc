import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/client";
import { definedFields, hasSpelling, type JsonArray, type JsonObject, type JsonValue, spelledNumber } from "#base";

/** Limit of pages of `tools/list`, for servers whose cursors never end. As many as tools are used: some servers have one on each page. */
const MAX_PAGES = 1_000;
/** Delay before a broken stream is resumed, milliseconds: initial and maximum. */
const RECONNECT_MS = { first: 500, longest: 5_000 };
const RECONNECT_ATTEMPTS = 3;

/** A connection to one MCP server. It rejects with errors of the library; `mcpErrorMessage` translates them. */
export interface McpClient {
  /** All tools of the server, from all pages. */
  listTools(limits: McpLimits): Promise<readonly ListedTool[]>;
  /** `listed` is the tool as the server listed it, where it is known. */
  callTool(name: string, args: JsonObject, limits: McpLimits, listed?: ListedTool): Promise<CallToolResult>;
  /** Whether the server uses a revision before 2026-07-28, so that the next connection can skip the negotiation. */
  readonly legacy: boolean;
  /** Ends the session on the server where there is one. Never rejects. */
  close(): Promise<void>;
}

/** Limits of one exchange with a server. */
export interface McpLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface McpServer {
  /** Used unchanged. */
  readonly address: string;
  /** Sends all requests, with credentials and headers. */
  readonly fetch: typeof globalThis.fetch;
  /** `McpClient.legacy` of an earlier connection. Default false. */
  readonly legacy?: boolean;
}

/**
 * Connects to an MCP server over Streamable HTTP: revision 2026-07-28 when the server supports it, else 2025-11-25, 2025-06-18 or
 * 2025-03-26 (TSET-5). The client has no capabilities: requests for sampling, roots or input are rejected, and
 * notifications outside of calls are not received.
 */
export async function connectMcp(server: McpServer, limits: McpLimits): Promise<McpClient> {
  // Loaded on first use: the library is large, and most apps have no MCP server.
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "frontdesk", version: "1" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
      // Not validated: a schema may hold the server's regular expressions, which could block this process.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(server.address), {
    fetch: withoutNotificationStream(server.fetch),
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
      client.callTool(
        { name, arguments: rawNumbers(args) },
        { ...optionsOf(each), ...definedFields({ toolDefinition: listed }) },
      ),
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };
}

/** Of ES2026: Node 24 has it, and the types do not. What it returns is written by `JSON.stringify` as the text was. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** The arguments for `JSON.stringify`, which the library calls: a number that JavaScript cannot hold is written as it came (PY-42). */
function rawNumbers<V extends JsonValue>(value: V): V {
  if (!hasSpelling(value)) return value;
  if (Array.isArray(value)) return value.map((_, at) => rawAt(value, String(at))) as V;
  return Object.fromEntries(Object.keys(value as JsonObject).map((key) => [key, rawAt(value as JsonObject, key)])) as V;
}

function rawAt(holder: JsonObject | JsonArray, key: string): JsonValue {
  const value = (holder as JsonObject)[key] ?? null;
  const spelling = spelledNumber(holder, key, value);
  return spelling === undefined ? rawNumbers(value) : (rawJSON(spelling) as JsonValue);
}

function optionsOf({ timeoutMs, signal }: McpLimits) {
  return { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal };
}

/** Declines the stream of server notifications, as servers may do: it would stay open between calls (MCP-13). */
function withoutNotificationStream(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (init?.method === "GET" && !headers.has("last-event-id")) return new Response(null, { status: 405 });
    return fetch(input, init);
  };
}
