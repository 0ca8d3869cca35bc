import type { CompiledQuery } from "kysely";
import type { PoolClient, QueryResult } from "pg";
import { Semaphore } from "#base";
import { ConnectError } from "#status";
import type { Statement } from "../engine.ts";
import { LIST_SECONDS, listTooLong, placeForList } from "../list-limits.ts";
import { type Connections, endStatement, runStep } from "./connections.ts";
import { isConnectionFault, isStatementTimeout } from "./to-storage-error.ts";

/** Runs the query of a list, and returns its rows. The signal ends it in the database. */
export type ListReads = <Row>(statement: Statement<Row> | CompiledQuery<Row>, signal?: AbortSignal) => Promise<Row[]>;

interface ListReadOptions {
  /** How often one is run that loses its connection. Default 2. */
  readonly attempts?: 1 | 2;
  /** Milliseconds that the connection may take. Default: what the address says. */
  readonly connectMs?: number;
}

/**
 * Reads of lists, which search or count as much as somebody asks for (DB-29). The database itself ends one that takes too long, whatever became of this server, and half of
 * the connections are left to turns.
 */
export function createListReads(
  { borrow, size }: Pick<Connections, "borrow" | "size">,
  { attempts = 2, connectMs }: ListReadOptions = {},
): ListReads {
  const places = new Semaphore(Math.max(1, Math.floor(size / 2)));
  return async <Row>(statement: Statement<Row> | CompiledQuery<Row>, signal?: AbortSignal) => {
    const leave = await placeForList(places, signal);
    const read = () => borrow((client) => runLimited(client, statement, signal), connectMs);
    const mayRepeat = (error: unknown) => attempts > 1 && isConnectionFault(error) && !signal?.aborted;
    try {
      const result = await read().catch((error) => (mayRepeat(error) ? read() : Promise.reject(error)));
      return result.rows as Row[];
    } catch (error) {
      signal?.throwIfAborted();
      throw isStatementTimeout(error) ? listTooLong() : error;
    } finally {
      leave();
    }
  };
}

/** Sent at once, as all of a transaction is. */
async function runLimited(client: PoolClient, statement: Statement, signal?: AbortSignal): Promise<QueryResult> {
  signal?.throwIfAborted();
  const begun = [BEGIN, LIMIT].map((step) => runStep(client, step));
  const read = runStep(client, statement);
  const cancel = () => endStatement(client);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    await Promise.all([...begun, read, runStep(client, COMMIT)]);
    return await read;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** Whether an error is about the list that was asked for, and not about the database. */
export function isOfList(error: unknown): boolean {
  return error instanceof ConnectError;
}

const BEGIN: Statement = { sql: "begin read only", parameters: [] };
const COMMIT: Statement = { sql: "commit", parameters: [] };

/** A shorter limit of the address or the database holds. */
const LIMIT: Statement = {
  sql: `select set_config('statement_timeout', least(${LIST_SECONDS * 1_000},
    nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0))::int::text, true)`,
  parameters: [],
};
