import type { CompiledQuery } from "kysely";
import pg, { type Pool, type PoolClient, type QueryResult } from "pg";
import type { Logger } from "#base";
import type { Statement } from "../engine.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { addressOptionsOf } from "./address-options.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { breakConnection, clientOf } from "./client.ts";
import { createConnectPace } from "./connect-pace.ts";
import { isConnectionFault, placeOf, TIMED_OUT, toStorageError } from "./to-storage-error.ts";
import { within } from "./within.ts";

/** The connections of one server to its database. */
export interface Connections {
  /** Runs one statement by itself. A read that lost its connection is run once more on another. `timeoutMs`: what it may take, all in all. */
  query<Row>(
    statement: Statement<Row> | CompiledQuery<Row>,
    again?: "read",
    timeoutMs?: number,
  ): Promise<QueryResult & { rows: Row[] }>;
  /** Runs a script in one transaction. */
  script(sql: string): Promise<void>;
  /** How many there are, at most. */
  readonly size: number;
  /** Runs work with one connection; begin and end of the transaction are the work's. `connectMs`: what the connection may take, if less than the address says. */
  borrow<Result>(work: (client: PoolClient) => Promise<Result>, connectMs?: number): Promise<Result>;
  /** When something came over one of them last, in milliseconds of `performance.now()`. */
  heard(): number;
  /** Breaks those that are made, as if the network had. What waits fails with the error. Returns how many there were. */
  giveUp(error: Error): number;
  close(): Promise<void>;
}

/** A statement takes milliseconds; one that takes this long waits for a lock, and the database is asked to end it. */
const QUERY_TIMEOUT_MS = 10_000;
/** Milliseconds more, after which a connection is given up whose statement the database did not end. */
const END_MS = 1_000;

/**
 * Opens the pool; the first statement makes the first connection. Nothing is kept in a connection between two transactions: no settings, no
 * prepared names, no notifications, no locks, so a pooler may hand out another one for each (DB-5). Throws a `StorageError` when the address has options that cannot be kept.
 */
export function openConnections(options: DatabaseOptions, logger: Logger): Connections {
  const { pool, connectTimeoutMs, ...shared } = openPool(options, logger);

  async function query<Row>(
    statement: Statement<Row> | CompiledQuery<Row>,
    again?: "read",
    timeoutMs = Number.POSITIVE_INFINITY,
  ): Promise<QueryResult & { rows: Row[] }> {
    const until = performance.now() + timeoutMs;
    const run = async () => {
      const client = await connect(until);
      return use(client, () => runStep(client, statement, until - performance.now() - END_MS));
    };
    try {
      return await run();
    } catch (error) {
      if (again !== "read" || !isConnectionFault(error)) throw error;
      return run();
    }
  }

  /** A connection that comes too late is given back. */
  async function connect(until: number): Promise<PoolClient> {
    const connecting = pool.connect();
    const left = until - performance.now();
    if (left > connectTimeoutMs) return connecting;
    let isLate = false;
    connecting.then(
      (client) => isLate && client.release(),
      () => {},
    );
    return within(left, connecting, () => {
      isLate = true;
      return new Error(TIMED_OUT);
    });
  }

  async function borrow<Result>(
    work: (client: PoolClient) => Promise<Result>,
    connectMs = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    const client = await connect(performance.now() + connectMs);
    return use(client, () => work(client));
  }

  const script = (sql: string) =>
    borrow(async (client) => {
      await client.query(sql);
    });

  return { query, script, borrow, size: pool.options.max, ...shared, close: () => pool.end() };
}

interface SharedPool extends Pick<Connections, "heard" | "giveUp"> {
  readonly pool: Pool;
  readonly connectTimeoutMs: number;
}

function openPool(options: DatabaseOptions, logger: Logger): SharedPool {
  const { url, connections = 10 } = options;
  const { address, connectTimeoutMs, ...security } = addressOptionsOf(url);
  const pace = createConnectPace();
  let heard = performance.now();
  const onHeard = () => {
    heard = performance.now();
  };
  const pool: Pool = new pg.Pool({
    connectionString: address,
    Client: clientOf(options, { ...security, pace, onHeard }),
    application_name: "frontdesk",
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: QUERY_TIMEOUT_MS + END_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // A start that fails ends the process, whatever is open.
    allowExitOnIdle: true,
    types: TYPES,
    // The statements of a transaction are sent without waiting for the answers between them.
    pipeline: true,
  } as pg.PoolConfig);
  // The driver's own error has the whole client with it.
  pool.on("error", (error) =>
    logger.warn({ err: toStorageError(error, placeOf(url)) }, "an idle connection to the database was lost"),
  );
  const made = new Set<PoolClient>();
  pool.on("connect", (client) => {
    made.add(client);
    client.once("end", () => made.delete(client));
  });
  const giveUp = (error: Error) => {
    pace.fail(error);
    for (const client of made) breakConnection(client, error);
    return made.size;
  };
  return { pool, connectTimeoutMs, heard: () => heard, giveUp };
}

/** Works with a connection, and gives it back. One whose statement failed is closed, and so is one whose statement was to be ended: the request may arrive late, and end another. */
async function use<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  // A connection that breaks while it is borrowed rejects its statements; the event itself needs no answer.
  const ignore = () => {};
  client.on("error", ignore);
  let isUsable = false;
  try {
    const result = await work();
    isUsable = !cancelled.has(client);
    return result;
  } finally {
    client.off("error", ignore);
    client.release(!isUsable);
  }
}

const cancelled = new WeakSet<PoolClient>();

/** Asks the database to end what a borrowed connection runs. The connection is closed when it is given back. */
export function endStatement(client: PoolClient): void {
  cancelled.add(client);
  cancelStatement(client);
}

/** Runs a step on a borrowed connection. One that takes longer than it may is ended in the database, too. */
export async function runStep<Row>(
  client: PoolClient,
  { sql, parameters }: Statement<Row> | CompiledQuery<Row>,
  timeoutMs = QUERY_TIMEOUT_MS,
): Promise<QueryResult & { rows: Row[] }> {
  const limit = Math.max(1, Math.min(timeoutMs, QUERY_TIMEOUT_MS));
  const timer = setTimeout(() => endStatement(client), limit).unref();
  try {
    // The driver's types know no limit of a single statement.
    const config = { text: sql, values: parameters.map(toValue), query_timeout: limit + END_MS };
    return await client.query(config);
  } finally {
    clearTimeout(timer);
  }
}

/** PostgreSQL has no NUL in texts. Only texts for search and display have any: what is stored as bytes or JSON keeps it. */
function toValue(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (value instanceof Uint8Array && !Buffer.isBuffer(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}

const [INT8, BYTEA] = [20, 17];

/** Whole numbers are safe integers here, and bytes plain arrays. */
const TYPES = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return Number;
    if (oid === BYTEA) return bytesOf;
    return format === "binary" ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid);
  },
};

function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), "hex");
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
