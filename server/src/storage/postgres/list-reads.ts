import type { CompiledQuery } from "kysely";
import type { PoolClient, QueryResult } from "pg";
import { Semaphore } from "#base";
import { ConnectError, deadlineExceeded, unavailable } from "#status";
import type { Statement } from "../engine.ts";
import { type Connections, runStep } from "./connections.ts";
import { isConnectionFault, isStatementTimeout } from "./to-storage-error.ts";

/** Runs the query of a list, and returns its rows. */
export type ListReads = <Row>(statement: Statement<Row> | CompiledQuery<Row>) => Promise<Row[]>;

/** What a list may take, less than any other statement. */
const LIST_SECONDS = 8;
/** How long one waits for others. */
const WAIT_SECONDS = 4;

/**
 * Reads of lists, which search or count as much as somebody asks for (DB-29). The database itself ends one that takes too long, whatever became of this server, and half of
 * the connections are left to turns.
 */
export function createListReads({ borrow, size }: Pick<Connections, "borrow" | "size">): ListReads {
  const places = new Semaphore(Math.max(1, Math.floor(size / 2)));
  return async <Row>(statement: Statement<Row> | CompiledQuery<Row>) => {
    const leave = await places.acquire(AbortSignal.timeout(WAIT_SECONDS * 1_000)).catch(() => {
      throw unavailable("The database is busy with other lists. Try again in a moment.", {
        reason: "STORAGE_OVERLOADED",
      });
    });
    const read = () => borrow((client) => runLimited(client, statement));
    try {
      // One that lost its connection is run once more on another.
      const result = await read().catch((error) => (isConnectionFault(error) ? read() : Promise.reject(error)));
      return result.rows as Row[];
    } catch (error) {
      throw isStatementTimeout(error) ? deadlineExceeded(TOO_LONG) : error;
    } finally {
      leave();
    }
  };
}

/** Sent at once, as all of a transaction is. */
async function runLimited(client: PoolClient, statement: Statement): Promise<QueryResult> {
  const begun = [BEGIN, LIMIT].map((step) => runStep(client, step));
  const read = runStep(client, statement);
  await Promise.all([...begun, read, runStep(client, COMMIT)]);
  return read;
}

/** Whether an error is about the list that was asked for, and not about the database. */
export function isOfList(error: unknown): boolean {
  return error instanceof ConnectError;
}

const TOO_LONG = `The database did not finish this list within ${LIST_SECONDS} seconds, and ended it. Ask for a shorter time (in a filter, such as start_time > "2026-11-01T00:00:00Z"), or for rarer words.`;

const BEGIN: Statement = { sql: "begin read only", parameters: [] };
const COMMIT: Statement = { sql: "commit", parameters: [] };

/** A shorter limit of the address or the database holds. */
const LIMIT: Statement = {
  sql: `select set_config('statement_timeout', least(${LIST_SECONDS * 1_000},
    nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0))::int::text, true)`,
  parameters: [],
};
