import { connectMcp, type McpClient, type McpLimits } from "./mcp-client.ts";
import { isServerError, isSessionExpired, mcpErrorMessage } from "./mcp-errors.ts";

/** How long a connection waits for its next call before it is closed, milliseconds. */
const IDLE_MS = 5 * 60_000;
/** How long a server may take to end a session, milliseconds. */
const FAREWELL_MS = 2_000;
/** Connections that are kept at most; the one unused for longest makes room. */
const MAX_KEPT = 200;
/** Servers of which it is remembered that they speak an old revision. */
const MAX_REMEMBERED = 1_000;

/** Where a call goes. */
export interface McpTarget {
  readonly address: string;
  /** The way out for one connection: it lasts as long as the connection does. */
  readonly open: (signal: AbortSignal) => typeof globalThis.fetch;
  /**
   * What calls have in common that may use one connection: the conversation, the address and everything that is sent with
   * each request. Absent: the connection serves this call alone.
   */
  readonly share?: string | undefined;
}

/** Why a server could not be used, in words for a model. */
export class McpError extends Error {
  override readonly name = "McpError";
}

/** Connections to MCP servers. */
export interface McpConnections {
  /**
   * Does `work` over a connection to the server. A server that forgot the session (404) gets a new one, once: it has not
   * done what it was asked. Rejects with `McpError`.
   */
  use<T>(target: McpTarget, limits: McpLimits, work: (client: McpClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Promise<McpClient>;
  readonly abort: AbortController;
  users: number;
  /** No longer to be found: it closes when its last user is gone. */
  retired: boolean;
  idle?: NodeJS.Timeout;
}

/**
 * Creates the connections. One is kept for each conversation, server and set of credentials, because servers may hold what a
 * conversation did before; nobody else's calls travel on it (TSET-8).
 */
export function createMcpConnections(): McpConnections {
  const kept = new Map<string, Connection>();
  const legacy = new Set<string>();

  const open = (target: McpTarget, limits: McpLimits): Connection => {
    const abort = new AbortController();
    const { address } = target;
    const client = connectMcp({ address, fetch: target.open(abort.signal), legacy: legacy.has(address) }, limits);
    client.then(
      (opened) => remember(address, opened.legacy),
      () => legacy.delete(address),
    );
    return { client, abort, users: 0, retired: target.share === undefined };
  };
  const remember = (address: string, isLegacy: boolean) => {
    if (!isLegacy || legacy.size >= MAX_REMEMBERED) legacy.delete(address);
    else legacy.add(address);
  };
  const take = (target: McpTarget, limits: McpLimits): Connection => {
    const found = target.share === undefined ? undefined : kept.get(target.share);
    const connection = found ?? open(target, limits);
    connection.users += 1;
    clearTimeout(connection.idle);
    if (target.share === undefined) return connection;
    // Put at the end: the first is the one unused for longest.
    kept.delete(target.share);
    kept.set(target.share, connection);
    if (kept.size > MAX_KEPT) retireOldest();
    return connection;
  };
  const retire = (connection: Connection) => {
    for (const [key, each] of kept) if (each === connection) kept.delete(key);
    connection.retired = true;
    if (connection.users === 0) void closeConnection(connection);
  };
  const retireOldest = () => {
    const idle = [...kept.values()].find(({ users }) => users === 0);
    if (idle) retire(idle);
  };
  const release = (connection: Connection) => {
    connection.users -= 1;
    if (connection.users > 0) return;
    if (connection.retired) void closeConnection(connection);
    else connection.idle = setTimeout(() => retire(connection), IDLE_MS).unref();
  };
  const once = async <T>(target: McpTarget, limits: McpLimits, work: (client: McpClient) => Promise<T>): Promise<T> => {
    const connection = take(target, limits);
    try {
      return await work(await connection.client);
    } catch (error) {
      // A call that was given up or got no answer leaves a connection in any state; an error that the server answered does not.
      if (!isServerError(error)) retire(connection);
      throw error;
    } finally {
      release(connection);
    }
  };

  return {
    use: async (target, limits, work) => {
      try {
        return await once(target, limits, work).catch((error) => {
          if (!isSessionExpired(error) || limits.signal.aborted) throw error;
          return once(target, limits, work);
        });
      } catch (error) {
        limits.signal.throwIfAborted();
        throw new McpError(mcpErrorMessage(error, limits.timeoutMs), { cause: error });
      }
    },
    close: async () => {
      await Promise.all([...kept.values()].map(closeConnection));
      kept.clear();
    },
  };
}

/** The server hears of it first, but not for long; then whatever is still under way ends. Never rejects. */
async function closeConnection({ client, abort, idle }: Connection): Promise<void> {
  clearTimeout(idle);
  const impatience = setTimeout(() => abort.abort(), FAREWELL_MS);
  await client.then(
    (opened) => opened.close(),
    () => undefined,
  );
  clearTimeout(impatience);
  abort.abort();
}
