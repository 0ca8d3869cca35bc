import { AsyncLocalStorage } from "node:async_hooks";
import { connectMcp, type McpClient, type McpLimits } from "./mcp-client.ts";
import { isProtocolError, isSessionExpired, isUnauthorized, mcpErrorMessage } from "./mcp-errors.ts";

/** Idle time after which a connection is closed, milliseconds. */
const IDLE_MS = 5 * 60_000;
/** Timeout of ending a session on the server, milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Limit of cached connections; the least recently used idle one is closed. */
const MAX_CONNECTIONS = 200;
/** Limit of remembered servers with an old revision. */
const MAX_LEGACY_SERVERS = 1_000;

/** The server of a call, and the key of its connection. */
export interface McpTarget {
  readonly address: string;
  /** Creates the `fetch` of one call, with its headers and credentials; `signal` is aborted when the connection is closed. */
  readonly open: (signal: AbortSignal) => typeof globalThis.fetch;
  /** Calls with the same key share a connection: calls of one conversation to one endpoint. Absent: the connection is used for this call only. */
  readonly connectionKey?: string | undefined;
  /** Digest of the headers and the bearer token that this call sends, which may change from call to call. */
  readonly senderKey: string;
}

/** Why a server could not be used. The message may be shown to a model. */
export class McpError extends Error {
  override readonly name = "McpError";
}

/** The server refused a request on a connection before it executed it; another connection may be accepted. */
class RefusedConnection extends Error {
  constructor(cause: unknown) {
    super("the connection was refused", { cause });
  }
}

/** Connection pool for MCP servers. */
export interface McpConnections {
  /**
   * Calls `work` with a connection to the server; its requests have the headers of this call. When the session has expired (404), or the
   * server takes it from no other caller than the one that opened it (401, 403), `work` is repeated once with a new connection, since the server
   * has not executed the request. Rejects with `McpError`.
   */
  use<T>(target: McpTarget, limits: McpLimits, work: (client: McpClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Promise<McpClient>;
  readonly abort: AbortController;
  /** `McpTarget.senderKey` of the call that opened it. */
  readonly openedBy: string;
  /** Sends what belongs to no call, e.g. the end of the session: as the latest call did. */
  fetch: typeof globalThis.fetch;
  users: number;
  /** Removed from the pool; closed when its last user is done. */
  retired: boolean;
  idle?: NodeJS.Timeout;
}

/**
 * Creates the pool. It caches one connection for each conversation and server, because servers may keep state of a conversation; headers and
 * tokens may change from call to call. Connections are never shared between conversations (TSET-8).
 */
export function createMcpConnections(): McpConnections {
  const connections = new Map<string, Connection>();
  const legacy = new Set<string>();
  // The library knows one `fetch` for a connection; each request is sent by the `fetch` of the call that makes it.
  const sender = new AsyncLocalStorage<typeof globalThis.fetch>();

  const open = (target: McpTarget, limits: McpLimits) => openConnection(target, limits, { legacy, sender });
  const acquire = (target: McpTarget, limits: McpLimits): Connection => {
    const found = target.connectionKey === undefined ? undefined : connections.get(target.connectionKey);
    const connection = found ?? open(target, limits);
    connection.users += 1;
    clearTimeout(connection.idle);
    if (target.connectionKey === undefined) return connection;
    // Inserted again at the end: a Map iterates from the least recently used.
    connections.delete(target.connectionKey);
    connections.set(target.connectionKey, connection);
    if (connections.size > MAX_CONNECTIONS) retireOldest();
    return connection;
  };
  const retire = (connection: Connection) => {
    for (const [key, each] of connections) if (each === connection) connections.delete(key);
    connection.retired = true;
    if (connection.users === 0) void closeConnection(connection);
  };
  const retireOldest = () => {
    const idle = [...connections.values()].find(({ users }) => users === 0);
    if (idle) retire(idle);
  };
  const release = (connection: Connection) => {
    connection.users -= 1;
    if (connection.users > 0) return;
    if (connection.retired) void closeConnection(connection);
    else connection.idle = setTimeout(() => retire(connection), IDLE_MS).unref();
  };
  const attempt = async <T>(
    target: McpTarget,
    limits: McpLimits,
    work: (client: McpClient) => Promise<T>,
  ): Promise<T> => {
    const connection = acquire(target, limits);
    connection.fetch = target.open(connection.abort.signal);
    const { fetch } = connection;
    try {
      const client = await connection.client;
      return await sender.run(fetch, () => work(client));
    } catch (error) {
      // An aborted or unanswered call leaves the connection in an unknown state; a JSON-RPC error does not.
      if (!isProtocolError(error)) retire(connection);
      // Neither refusal executed the request. A server may bind a session to the caller that opened it.
      const refused = isSessionExpired(error) || (isUnauthorized(error) && connection.openedBy !== target.senderKey);
      throw refused && !limits.signal.aborted ? new RefusedConnection(error) : error;
    } finally {
      release(connection);
    }
  };

  return {
    use: async (target, limits, work) => {
      try {
        return await attempt(target, limits, work).catch((error) => {
          if (!(error instanceof RefusedConnection)) throw error;
          return attempt(target, limits, work);
        });
      } catch (error) {
        limits.signal.throwIfAborted();
        const cause = error instanceof RefusedConnection ? error.cause : error;
        throw new McpError(mcpErrorMessage(cause, limits.timeoutMs), { cause });
      }
    },
    close: async () => {
      await Promise.all([...connections.values()].map(closeConnection));
      connections.clear();
    },
  };
}

interface ConnectionParts {
  /** Addresses of servers with an old revision. */
  readonly legacy: Set<string>;
  readonly sender: AsyncLocalStorage<typeof globalThis.fetch>;
}

function openConnection(target: McpTarget, limits: McpLimits, { legacy, sender }: ConnectionParts): Connection {
  const abort = new AbortController();
  const { address } = target;
  const fetch: typeof globalThis.fetch = (input, init) => (sender.getStore() ?? connection.fetch)(input, init);
  const client = connectMcp({ address, fetch, legacy: legacy.has(address) }, limits);
  client.then(
    (opened) => rememberRevision(legacy, address, opened.legacy),
    () => legacy.delete(address),
  );
  const connection: Connection = {
    client,
    abort,
    openedBy: target.senderKey,
    fetch: target.open(abort.signal),
    users: 0,
    retired: target.connectionKey === undefined,
  };
  return connection;
}

function rememberRevision(legacy: Set<string>, address: string, isLegacy: boolean): void {
  if (!isLegacy || legacy.size >= MAX_LEGACY_SERVERS) legacy.delete(address);
  else legacy.add(address);
}

/** Ends the session on the server within a time limit, then aborts pending requests. Never rejects. */
async function closeConnection({ client, abort, idle }: Connection): Promise<void> {
  clearTimeout(idle);
  const timeout = setTimeout(() => abort.abort(), CLOSE_TIMEOUT_MS);
  await client.then(
    (opened) => opened.close(),
    () => undefined,
  );
  clearTimeout(timeout);
  abort.abort();
}
