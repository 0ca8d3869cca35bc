import type { CompiledQuery } from "kysely";
import pg, { type Pool, type PoolClient, type QueryResult } from "pg";
import type { Logger } from "#base";
import type { Statement } from "../engine.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { addressOptionsOf } from "./address-options.ts";
import { clientOf } from "./client.ts";
import { isConnectionFault, placeOf, toStorageError } from "./to-storage-error.ts";

/** The connections of one server to its database. */
export interface Connections {
  /** Runs one statement by itself. A read that lost its connection is run once more on another. */
  query<Row>(statement: Statement<Row> | CompiledQuery<Row>, again?: "read"): Promise<QueryResult & { rows: Row[] }>;
  /** Runs a script in one transaction. */
  script(sql: string): Promise<void>;
  /** How many there are, at most. */
  readonly size: number;
  /** Runs work with one connection; begin and end of the transaction are the work's. */
  borrow<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A statement takes milliseconds; one that takes this long waits for a lock, or for a network that is gone. */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Opens the pool; the first statement makes the first connection. Nothing is kept in a connection between two transactions: no settings, no
 * prepared names, no notifications, no locks, so a pooler may hand out another one for each (DB-5). Throws a `StorageError` when the address has options that cannot be kept.
 */
export function openConnections(options: DatabaseOptions, logger: Logger): Connections {
  const { url, connections = 10 } = options;
  const { address, connectTimeoutMs, ...security } = addressOptionsOf(url);
  const pool: Pool = new pg.Pool({
    connectionString: address,
    Client: clientOf(options, security),
    application_name: "frontdesk",
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
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

  async function query<Row>(
    statement: Statement<Row> | CompiledQuery<Row>,
    again?: "read",
  ): Promise<QueryResult & { rows: Row[] }> {
    const values = statement.parameters.map(toValue);
    try {
      return await pool.query(statement.sql, values);
    } catch (error) {
      if (again !== "read" || !isConnectionFault(error)) throw error;
      return pool.query(statement.sql, values);
    }
  }

  async function borrow<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    // A connection that breaks while it is borrowed rejects its statements; the event itself needs no answer.
    const ignore = () => {};
    client.on("error", ignore);
    let fault: unknown;
    try {
      return await work(client);
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(fault !== undefined);
    }
  }

  const script = (sql: string) =>
    borrow(async (client) => {
      await client.query(sql);
    });

  return { query, script, borrow, size: connections, close: () => pool.end() };
}

/** Runs a step on a borrowed connection. */
export function runStep(client: PoolClient, { sql, parameters }: Statement): Promise<QueryResult> {
  return client.query(sql, parameters.map(toValue));
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
