import type { Client, ClientConfig, Pool, PoolClient, QueryArrayResult } from "pg";
import { QueryError } from "../contract.ts";

/** A database and how many questions it is asked at once. */
export interface PostgresAccess {
  /** `postgresql://…`, read at each connection: never kept, never told. */
  readonly connectionString: () => string;
}

/** Runs work in transactions that cannot write. */
export interface PostgresSessions {
  /** Rejects with `QueryError`. An aborted signal and the end of the time cancel what runs on the server. */
  transaction<Result>(options: SessionOptions, work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Milliseconds for all of the work. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Settings of the transaction that secure views read, by name. Default none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Most bytes that the server may send. Default 64 MiB. */
  readonly maxReceived?: number;
}

/** One statement in the transaction; cells are texts as they come. */
export type Ask = (sql: string, values?: readonly string[]) => Promise<QueryArrayResult<(string | null)[]>>;

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RECEIVED = 64 * 1024 * 1024;

/**
 * What the transaction is held to. The catalogue is the only schema that names are looked up in: tables are written out, and
 * functions and operators of the database's own are out of reach.
 */
function begin(timeoutMs: number): string {
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

/** Opens a pool; the first connection is made with the first question. */
export function createPostgresSessions({ connectionString }: PostgresAccess): PostgresSessions {
  let pool: Promise<Pool> | undefined;
  const settings = (): ClientConfig => ({
    connectionString: connectionString(),
    application_name: "frontdesk",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  async function openPool(): Promise<Pool> {
    const { default: pg } = await import("pg");
    const opened = new pg.Pool({ ...settings(), max: CONNECTIONS, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
    // A connection that breaks while it is idle leaves the pool; the next question opens another.
    opened.on("error", () => {});
    return opened;
  }

  async function cancel(pid: string): Promise<void> {
    const { default: pg } = await import("pg");
    const client: Client = new pg.Client(settings());
    client.on("error", () => {});
    await client.connect();
    await client.query("SELECT pg_cancel_backend($1)", [Number(pid)]).finally(() => client.end());
  }

  return {
    async transaction(options, work) {
      if (options.signal.aborted) throw new QueryError("cancelled", "The query was cancelled.");
      pool ??= openPool();
      const client = await pool
        .then((opened) => opened.connect())
        .catch((error) => Promise.reject(unreachableBy(error)));
      return inTransaction(client, options, work, cancel);
    },
    close: async () => (await pool)?.end(),
  };
}

async function inTransaction<Result>(
  client: PoolClient,
  { timeoutMs, signal, settings = {}, maxReceived = MAX_RECEIVED }: SessionOptions,
  work: (ask: Ask) => Promise<Result>,
  cancel: (pid: string) => Promise<void>,
): Promise<Result> {
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  const watch = watchReceived(client, maxReceived);
  let stopped: "timeout" | "cancelled" | undefined;
  let pid = "";
  const stop = (why: "timeout" | "cancelled") => {
    stopped ??= why;
    // Where no second connection can be had, the first one is cut: the server notices at its next row.
    if (pid) cancel(pid).catch((error) => streamOf(client).destroy(error instanceof Error ? error : undefined));
  };
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const onAbort = () => stop("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  // It may have been aborted while the connection was made.
  if (signal.aborted) onAbort();
  try {
    pid = await beginTransaction(client, timeoutMs, settings);
    if (stopped) throw new Error("stopped before it began");
    return await work((sql, values = []) => client.query({ ...TEXTS, text: sql, values: [...values] }));
  } catch (error) {
    throw watch.exceeded ?? toQueryError(error, stopped, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    watch.end();
    // A cancel that is still on its way would meet the next question of this connection: it is closed instead.
    const spoiled = stopped !== undefined || broken !== undefined || watch.exceeded !== undefined;
    if (!spoiled) await client.query("ROLLBACK").catch(onError);
    client.off("error", onError);
    client.release(spoiled || broken !== undefined);
  }
}

/** Cells stay the texts that they are in the wire. */
const TEXTS = {
  rowMode: "array" as const,
  queryMode: "extended" as const,
  types: { getTypeParser: () => (text: string) => text },
};

async function beginTransaction(
  client: PoolClient,
  timeoutMs: number,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  // Several statements in one message answer with a list of results.
  const results: unknown = await client.query(begin(timeoutMs));
  const last = Array.isArray(results) ? (results.at(-1) as { rows: readonly { pid: string }[] }) : undefined;
  for (const [name, value] of Object.entries(settings)) {
    await client.query("SELECT pg_catalog.set_config($1, $2, true)", [name, value]);
  }
  return last?.rows[0]?.pid ?? "";
}

/** A single row can be a gigabyte: the connection is cut when more comes than anybody asked for. */
function watchReceived(client: PoolClient, most: number) {
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
      `The database sent more than ${most} bytes; ask for fewer or smaller columns.`,
    );
    stream.destroy(watch.exceeded);
  };
  stream.on("data", onData);
  return watch;
}

/** The socket of a connection, which the client's types do not tell of. */
function streamOf(client: PoolClient): import("node:net").Socket {
  return (client as unknown as { connection: { stream: import("node:net").Socket } }).connection.stream;
}

/** The server's words with its hint, in this room's kinds (PostgreSQL, appendix A: error codes). */
function toQueryError(error: unknown, stopped: "timeout" | "cancelled" | undefined, timeoutMs: number): QueryError {
  if (stopped === "cancelled") return new QueryError("cancelled", "The query was cancelled.", error);
  const { code = "", message, hint } = factsOf(error);
  if (stopped === "timeout" || code === "57014")
    return new QueryError("timeout", `The query took longer than ${timeoutMs / 1000} s.`, error);
  if (error instanceof QueryError) return error;
  const told = hint ? `${message}. ${hint}` : message;
  if (code === "42501" || code.startsWith("28")) return new QueryError("permission", told, error);
  if (code === "25006") return new QueryError("refused", told, error);
  if (/^(42|22|21|0A)/.test(code)) return new QueryError("invalid", told, error);
  return new QueryError("failed", told, error);
}

function unreachableBy(error: unknown): QueryError {
  const { code = "", message } = factsOf(error);
  const kind = code.startsWith("28") ? "permission" : "failed";
  return new QueryError(kind, `The database cannot be reached: ${message || code}.`, error);
}

function factsOf(error: unknown): { readonly code?: string; readonly message: string; readonly hint?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, hint } = error as { code?: unknown; hint?: unknown };
  return {
    message: error.message,
    ...(typeof code === "string" && { code }),
    ...(typeof hint === "string" && { hint }),
  };
}
