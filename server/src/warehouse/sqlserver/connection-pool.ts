import type { Connection } from "tedious";
import { Semaphore } from "#base";
import { cancelled, QueryError, timedOut } from "../contract.ts";
import type { SqlServerAddress } from "./connection-options.ts";
import { connectionError, toQueryError } from "./query-errors.ts";
import { type BatchReader, runBatch } from "./run-batch.ts";

/** Runs a batch of statements in a session. */
type RunBatch = (sql: string, reader?: BatchReader) => Promise<void>;

interface SessionOptions {
  /** Milliseconds for the whole session. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sessions of one database; some connections are kept open for the next one. */
interface SqlServerPool {
  /** Rejects with `QueryError`. An aborted signal and the timeout end what runs in the engine. */
  session<Result>(options: SessionOptions, work: (run: RunBatch) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const IDLE_MS = 30_000;

/** The address is read for each connection. */
export function createSqlServerPool(address: () => SqlServerAddress): SqlServerPool {
  const idle = new Map<Connection, NodeJS.Timeout>();
  const places = new Semaphore(CONNECTIONS);

  async function open(): Promise<Connection> {
    const kept = idle.keys().next().value;
    if (kept) {
      forget(kept);
      return kept;
    }
    return connect(address()).catch((error) => {
      throw connectionError(error);
    });
  }
  function forget(connection: Connection): void {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
  }
  function drop(connection: Connection): void {
    forget(connection);
    connection.close();
  }

  return {
    async session({ timeoutMs, signal }, work) {
      if (signal.aborted) throw cancelled();
      const timeout = AbortSignal.timeout(timeoutMs);
      const until = AbortSignal.any([signal, timeout]);
      const failure = (error: unknown) => {
        if (signal.aborted) return cancelled(error);
        return timeout.aborted ? timedOut({ timeoutMs }, error) : toQueryError(error);
      };
      const leave = await places.acquire(until).catch((error) => {
        throw failure(error);
      });
      try {
        const connection = await open();
        let isWhole = true;
        try {
          return await work(async (sql, reader) => {
            if ((await runBatch(connection, sql, reader, until)) === "ended") isWhole = false;
          });
        } catch (error) {
          isWhole = false;
          throw failure(error);
        } finally {
          // What was ended in its middle may have left settings and a transaction behind.
          if (isWhole && !connection.closed) idle.set(connection, setTimeout(drop, IDLE_MS, connection).unref());
          else connection.close();
        }
      } finally {
        leave();
      }
    },
    close: async () => {
      for (const connection of [...idle.keys()]) drop(connection);
    },
  };
}

async function connect({ configuration }: SqlServerAddress): Promise<Connection> {
  const { Connection } = await driver();
  const connection = new Connection(configuration);
  // What breaks while nothing runs is noticed by the next session.
  connection.on("error", () => connection.close());
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  return connection;
}

/** The package is no part of a small installation. */
async function driver(): Promise<Pick<typeof import("tedious"), "Connection">> {
  try {
    const { default: tedious } = await import("tedious");
    return tedious;
  } catch (error) {
    throw new QueryError(
      "failed",
      "Questions to SQL Server need the package tedious: npm install --no-save tedious",
      error,
    );
  }
}
