import type { Client, ClientConfig, Pool, PoolClient, QueryArrayResult } from "pg";
import { createAddressPool } from "../connections/address-pool.ts";
import { checkOptions } from "../connections/check-options.ts";
import { cancelled, QueryError, timedOut } from "../contract.ts";
import type { PostgresMapping } from "../mapping/warehouse-config.ts";
import { gatedSettings } from "./gated-settings.ts";

/** A connection pool whose transactions cannot write. */
export interface PostgresPool {
  /** Rejects with `QueryError`. An aborted signal and the timeout cancel the statement that runs on the server. */
  transaction<Result>(options: TransactionOptions, work: (execute: Execute) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface TransactionOptions {
  /** Milliseconds for the whole transaction. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Settings of the transaction that secure views read, by name. Default none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Maximum bytes that the server may send. Default 64 MiB. */
  readonly maxReceived?: number;
}

/** Executes one statement in the transaction; cells are strings as PostgreSQL sends them. */
export type Execute = (sql: string, values?: readonly string[]) => Promise<QueryArrayResult<(string | null)[]>>;

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RECEIVED = 64 * 1024 * 1024;

/**
 * Statements that begin a transaction. `pg_catalog` is the only schema in the search path: tables are written with their schema, and
 * functions and operators that the database defines cannot be reached.
 */
function beginReadOnly(timeoutMs: number): string {
  return [
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL search_path = pg_catalog, pg_temp",
    `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`,
    "SET LOCAL lock_timeout = 2000",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL cursor_tuple_fraction = 1",
    "SELECT pg_backend_pid()::text AS pid",
  ].join("; ");
}

/** A server that speaks the protocol of PostgreSQL. */
interface PostgresServer extends Pick<PostgresMapping, "connectionString" | "gate"> {
  /** Statements that begin a transaction which only reads; the last one gives the process id of the session. Default: those of PostgreSQL. */
  readonly begin?: (timeoutMs: number) => string;
}

/** Creates a pool; the first connection is made for the first query. `connectionString` is read for each query and never stored or logged. */
export function createPostgresPool({ connectionString, gate, begin = beginReadOnly }: PostgresServer): PostgresPool {
  const settings = (address: string): ClientConfig => ({
    ...(gate ? gatedSettings(address, gate) : checkedSettings(address)),
    application_name: "frontdesk",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  async function open(address: string): Promise<Pool> {
    const { default: pg } = await import("pg");
    const opened = new pg.Pool({
      ...settings(address),
      max: CONNECTIONS,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // A connection that breaks while it is idle leaves the pool; the next query opens another.
    opened.on("error", () => {});
    return opened;
  }

  const pool = createAddressPool({ address: connectionString, open, end: (opened) => opened.end() });

  async function cancel(pid: string): Promise<void> {
    const { default: pg } = await import("pg");
    const client: Client = new pg.Client(settings(connectionString()));
    client.on("error", () => {});
    await client.connect();
    await client.query("SELECT pg_cancel_backend($1)", [Number(pid)]).finally(() => client.end());
  }

  return {
    async transaction(options, work) {
      if (options.signal.aborted) throw cancelled();
      return pool.use(async (opened) => {
        const client = await opened.connect().catch((error) => Promise.reject(connectionError(error)));
        return inTransaction(client, { ...options, begin }, work, cancel);
      });
    },
    close: () => pool.close(),
  };
}

/** Parts of the URL and settings of the session, in the words of the driver. */
const OPTIONS = [
  ...["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"],
  ...["host", "port", "user", "password", "application_name", "fallback_application_name", "options"],
];

/** Throws a `QueryError` without the string, which has a password. */
function checkedSettings(connectionString: string): ClientConfig {
  const url = URL.parse(connectionString);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new QueryError("failed", "The connection string must be postgresql://user:password@host:5432/database.");
  checkOptions(url, OPTIONS);
  return { connectionString };
}

async function inTransaction<Result>(
  client: PoolClient,
  {
    timeoutMs,
    signal,
    begin,
    settings = {},
    maxReceived = MAX_RECEIVED,
  }: TransactionOptions & Required<Pick<PostgresServer, "begin">>,
  work: (execute: Execute) => Promise<Result>,
  cancel: (pid: string) => Promise<void>,
): Promise<Result> {
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  const watch = limitReceived(client, maxReceived);
  let stopped: "timeout" | "cancelled" | undefined;
  let pid = "";
  const stop = (why: "timeout" | "cancelled") => {
    stopped ??= why;
    // Where no second connection can be opened, the first one is closed: the server notices at its next row.
    if (pid) cancel(pid).catch((error) => streamOf(client).destroy(error instanceof Error ? error : undefined));
  };
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const onAbort = () => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  // It may have been aborted while the connection was made.
  if (signal.aborted) onAbort();
  try {
    pid = await beginTransaction(client, begin(timeoutMs), settings);
    if (stopped) throw new Error("stopped before it began");
    return await work((sql, values = []) => {
      // A cancel that comes between two statements hits neither of them.
      if (stopped) throw new Error("stopped between statements");
      return client.query({ ...TEXTS, text: sql, values: [...values] });
    });
  } catch (error) {
    throw watch.exceeded ?? toQueryError(error, stopped, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    watch.end();
    // A cancel that is still on its way would hit the next statement of this connection, so the connection is closed.
    const unusable = stopped !== undefined || broken !== undefined || watch.exceeded !== undefined;
    if (!unusable) await client.query("ROLLBACK").catch(onError);
    client.off("error", onError);
    client.release(unusable || broken !== undefined);
  }
}

/** Cells stay the strings of the wire. */
const TEXTS = {
  rowMode: "array" as const,
  queryMode: "extended" as const,
  types: { getTypeParser: () => (text: string) => text },
};

async function beginTransaction(
  client: PoolClient,
  begin: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  // Several statements in one message answer with a list of results.
  const results: unknown = await client.query(begin);
  const last = Array.isArray(results) ? (results.at(-1) as { rows: readonly { pid: string }[] }) : undefined;
  for (const [name, value] of Object.entries(settings)) {
    await client.query("SELECT pg_catalog.set_config($1, $2, true)", [name, value]);
  }
  return last?.rows[0]?.pid ?? "";
}

/** A single row can be a gigabyte: the connection is closed when the server sends more than the limit. */
function limitReceived(client: PoolClient, most: number) {
  let received = 0;
  const watch: { exceeded?: QueryError; end(): void } = {
    end: () => {
      stream.off("data", onData);
    },
  };
  const stream = streamOf(client);
  const onData = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= most) return;
    watch.exceeded = new QueryError(
      "failed",
      `The database sent more than ${most} bytes; query fewer or smaller columns.`,
    );
    stream.destroy(watch.exceeded);
  };
  stream.on("data", onData);
  return watch;
}

/** The socket of a connection, which the types of `pg` do not declare. */
function streamOf(client: PoolClient): import("node:net").Socket {
  return (client as unknown as { connection: { stream: import("node:net").Socket } }).connection.stream;
}

/** The server's message with its hint, as a `QueryError` (PostgreSQL, appendix A: error codes). */
function toQueryError(error: unknown, stopped: "timeout" | "cancelled" | undefined, timeoutMs: number): QueryError {
  if (stopped === "cancelled") return cancelled(error);
  const { code = "", message, hint } = errorFields(error);
  if (stopped === "timeout" || code === "57014") return timedOut({ timeoutMs }, error);
  if (error instanceof QueryError) return error;
  const text = hint ? `${message}. ${hint}` : message;
  if (code === "42501" || code.startsWith("28")) return new QueryError("permission", text, error);
  if (code === "25006") return new QueryError("rejected", text, error);
  if (/^(42|22|21|0A)/.test(code)) return new QueryError("invalid", text, error);
  return new QueryError("failed", text, error);
}

function connectionError(error: unknown): QueryError {
  const { code = "", message } = errorFields(error);
  const kind = code.startsWith("28") ? "permission" : "failed";
  return new QueryError(kind, `The database cannot be reached: ${message || code}.`, error);
}

function errorFields(error: unknown): { readonly code?: string; readonly message: string; readonly hint?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, hint } = error as { code?: unknown; hint?: unknown };
  return {
    message: error.message,
    ...(typeof code === "string" && { code }),
    ...(typeof hint === "string" && { hint }),
  };
}
