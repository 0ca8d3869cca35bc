import type { Socket } from "node:net";
import type { Pool, PoolConnection } from "mysql2";
import { createAddressPool } from "../connections/address-pool.ts";
import { cancelled, QueryError, timedOut } from "../contract.ts";
import type { OpenedMapping } from "../mapping/warehouse-config.ts";
import { type MysqlAddress, readConnectionString } from "./connection-options.ts";

/** A pool whose connections only read. */
interface MysqlPool {
  /** Rejects with `QueryError`. An aborted signal and the timeout kill the statement that runs on the server. */
  transaction<Result>(options: TransactionOptions, work: (session: Session) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface TransactionOptions {
  /** Milliseconds for the whole transaction. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Rows after which the server stops, but for one that tells that there are more. Default no limit. */
  readonly maxRows?: number;
}

/** A connection in a READ ONLY transaction. */
export interface Session {
  readonly connection: PoolConnection;
  /** Ends the connection afterwards, because rows are still on their way. */
  discard(): void;
}

const CONNECTIONS = 8;
const MAX_RECEIVED = 64 * 1024 * 1024;
const LARGEST = "18446744073709551615";

/** Creates a pool; the first connection is made for the first query. `connectionString` is read for each query and never stored or logged. */
export function createMysqlPool({ connectionString, gate }: OpenedMapping): MysqlPool {
  const pool = createAddressPool({
    address: connectionString,
    async open(text) {
      const { createPool } = await driver();
      const { options } = readConnectionString(text, gate);
      return createPool({ ...options, connectionLimit: CONNECTIONS, maxIdle: CONNECTIONS, idleTimeout: 30_000 });
    },
    end: (opened: Pool) => new Promise<void>((resolve) => opened.end(() => resolve())),
  });
  return {
    async transaction(options, work) {
      if (options.signal.aborted) throw cancelled();
      return pool.use(async (opened) => {
        const connection = await acquire(opened).catch((error) => Promise.reject(connectionError(error)));
        const address = () => readConnectionString(connectionString(), gate);
        return inTransaction(connection, options, work, (id) => kill(id, address()));
      });
    },
    close: () => pool.close(),
  };
}

/** The package is no part of a small installation. */
async function driver(): Promise<typeof import("mysql2")> {
  try {
    const { default: mysql } = await import("mysql2");
    return mysql;
  } catch (error) {
    throw new QueryError(
      "failed",
      "Questions to MySQL and MariaDB need the package mysql2: npm install --no-save mysql2",
      error,
    );
  }
}

function acquire(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
  });
}

/** By a second connection: the first one is busy. */
async function kill(id: number, { options }: MysqlAddress): Promise<void> {
  const { createConnection } = await driver();
  const connection = createConnection(options);
  connection.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    connection.query(`KILL QUERY ${id}`, (error) => (error ? reject(error) : resolve()));
  }).finally(() => connection.destroy());
}

async function inTransaction<Result>(
  connection: PoolConnection,
  { timeoutMs, signal, maxRows }: TransactionOptions,
  work: (session: Session) => Promise<Result>,
  kill: (id: number) => Promise<void>,
): Promise<Result> {
  const ending: { why?: "timeout" | "cancelled"; error?: Error; discarded: boolean } = { discarded: false };
  // A connection that breaks tells nobody who waits for rows.
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const onError = (error: Error) => {
    ending.error ??= error;
    broken.reject(error);
  };
  connection.on("error", onError);
  const received = limitReceived(connection, onError);
  const stop = (why: "timeout" | "cancelled") => {
    ending.why ??= why;
    // Where no second connection can be opened, the first one is closed: the server notices at its next row.
    kill(connection.threadId).catch(() => connection.destroy());
  };
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const onAbort = () => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  // It may have been aborted while the connection was made.
  if (signal.aborted) onAbort();
  const discard = () => {
    ending.discarded = true;
  };
  try {
    return await Promise.race([
      begin(connection, timeoutMs, maxRows).then(() => work({ connection, discard })),
      broken.promise,
    ]);
  } catch (error) {
    throw toQueryError(ending.error ?? error, ending.why, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    received.end();
    connection.off("error", onError);
    // A KILL that is still on its way would hit the next statement of this connection.
    await release(connection, ending.why !== undefined || ending.error !== undefined || ending.discarded, kill);
  }
}

async function release(
  connection: PoolConnection,
  unusable: boolean,
  kill: (id: number) => Promise<void>,
): Promise<void> {
  if (!unusable) {
    const failed = await execute(connection, "ROLLBACK").then(
      () => false,
      () => true,
    );
    if (!failed) return connection.release();
  }
  connection.on("error", () => {});
  const { threadId } = connection;
  connection.destroy();
  // A server that sorts or groups notices a closed connection late.
  await kill(threadId).catch(() => {});
}

/**
 * Settings of a session that only reads: times in UTC, rows of groups that are well defined, no more rows than are asked for, recursion as deep as days of
 * centuries, and an end that the server keeps. MariaDB and MySQL call the last two differently.
 */
async function begin(connection: PoolConnection, timeoutMs: number, maxRows: number | undefined): Promise<void> {
  const ms = Math.max(1, Math.ceil(timeoutMs));
  const common = [
    "time_zone = '+00:00'",
    "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION'",
    `sql_select_limit = ${maxRows === undefined ? LARGEST : maxRows + 1}`,
    // Averages and quotients of decimals would have four digits.
    "div_precision_increment = 12",
    "group_concat_max_len = 1048576",
    "lock_wait_timeout = 2",
  ];
  const own = isMariaDb(connection)
    ? [`max_statement_time = ${ms / 1000}`, "max_recursive_iterations = 100000"]
    : [`max_execution_time = ${ms}`, "cte_max_recursion_depth = 100000"];
  await execute(connection, `SET SESSION ${[...common, ...own].join(", ")}`);
  await execute(connection, "START TRANSACTION READ ONLY");
}

function isMariaDb(connection: PoolConnection): boolean {
  const { _handshakePacket: handshake } = connection as unknown as { _handshakePacket?: { serverVersion?: string } };
  return /mariadb/i.test(handshake?.serverVersion ?? "");
}

function execute(connection: PoolConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });
}

/** A single row can be a gigabyte: the connection is closed when the server sends more than the limit. */
function limitReceived(connection: PoolConnection, onError: (error: Error) => void): { end(): void } {
  const { stream } = connection as unknown as { stream: Socket };
  let received = 0;
  const onData = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= MAX_RECEIVED) return;
    const error = new QueryError(
      "failed",
      `The database sent more than ${MAX_RECEIVED} bytes; query fewer or smaller columns.`,
    );
    onError(error);
    stream.destroy(error);
  };
  stream.on("data", onData);
  return { end: () => void stream.off("data", onData) };
}

/** Kinds by the server's error numbers (MySQL, "Server Error Message Reference"; MariaDB, "Error Codes"). */
const PERMISSION = new Set([1044, 1045, 1142, 1143, 1227, 1370, 1698, 3118]);
const TIMEOUT = new Set([1969, 3024, 1205]);
const READ_ONLY = 1792;
const INTERRUPTED = 1317;

function toQueryError(error: unknown, stopped: "timeout" | "cancelled" | undefined, timeoutMs: number): QueryError {
  if (stopped === "cancelled") return cancelled(error);
  const { errno = 0, message, sqlState = "" } = error as { errno?: number; message: string; sqlState?: string };
  if (stopped === "timeout" || TIMEOUT.has(errno) || errno === INTERRUPTED) return timedOut({ timeoutMs }, error);
  if (error instanceof QueryError) return error;
  if (PERMISSION.has(errno)) return new QueryError("permission", message, error);
  if (errno === READ_ONLY) return new QueryError("rejected", message, error);
  if (/^(42|22|21|HY000)/.test(sqlState)) return new QueryError("invalid", message, error);
  return new QueryError("failed", message, error);
}

function connectionError(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  const { errno = 0, code = "", message = "" } = error as { errno?: number; code?: string; message?: string };
  const kind = PERMISSION.has(errno) ? "permission" : "failed";
  return new QueryError(kind, `The database cannot be reached: ${message || code}.`, error);
}
