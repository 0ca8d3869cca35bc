import {
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from "kysely";
import type { PoolClient } from "pg";
import type { AppendedTurn, CommitOutcome, Engine, Step } from "../engine.ts";
import type { Tables } from "../tables.ts";
import { type Connections, runStep } from "./connections.ts";
import { createListReads } from "./list-reads.ts";
import type { Outages } from "./outages.ts";
import { hasText, hasWord, isOneOf, RARE, withWord } from "./search-words.ts";
import { isConflict, isConnectionFault } from "./to-storage-error.ts";
import { createTurnWriter } from "./write-turns.ts";

interface EngineOptions {
  /** Where the database is, for messages. */
  readonly place: string;
  readonly outages: Outages;
  /** Called after each commit with the number of writes that shared it. */
  readonly onCommit?: ((writes: number) => void) | undefined;
}

/** The engine over a pool of connections. Storage errors become status errors for the client. */
export function createPostgresEngine(
  connections: Connections,
  { place, outages, onCommit }: EngineOptions,
): Omit<Engine, "sharing"> {
  const turns = createTurnWriter(connections, { place, onCommit });

  const all: Engine["all"] = async (statement) => {
    try {
      const { rows } = await connections.query(statement, "read");
      outages.passed();
      return rows;
    } catch (error) {
      throw outages.refusal(error);
    }
  };

  const readList = createListReads(connections);
  const late: Engine["late"] = async (statement, signal) => {
    try {
      const rows = await readList(statement, signal);
      outages.passed();
      return rows;
    } catch (error) {
      signal?.throwIfAborted();
      throw outages.refusal(error);
    }
  };

  async function commit(steps: readonly Step[]): Promise<CommitOutcome> {
    try {
      const [only] = steps;
      const single = steps.length === 1 && only && (only.changes === undefined || only.changes > 0);
      const outcome = single
        ? await runAlone(only)
        : await retried(() => connections.borrow((on) => transaction(on, steps)));
      onCommit?.(1);
      outages.passed();
      return outcome;
    } catch (error) {
      throw outages.refusal(error);
    }
  }

  /** A statement by itself is a transaction. When the wrong number of rows would change, none does: such steps are about one row. */
  async function runAlone(step: Step): Promise<CommitOutcome> {
    const changes = (await retried(() => connections.query(step))).rowCount ?? 0;
    if (step.changes !== undefined && changes !== step.changes) return { kind: "condition-failed", step: 0 };
    return { kind: "committed", changes };
  }

  async function appendTurn(turn: AppendedTurn): Promise<boolean> {
    const outcome = await turns.add(turn);
    if (typeof outcome !== "boolean") throw outages.refusal(outcome);
    outages.passed();
    return outcome;
  }

  return {
    queries: createQueries(),
    all,
    late,
    // The database itself has a limit for each statement.
    whileInTime: () => sql<SqlBool>`true`,
    commit,
    appendTurn,
    matchesParent,
    isNamed,
    // Each turn is indexed in its commit: there is nothing to catch up with.
    search: { catchUp: async () => {}, hasText, withWord, isOneOf, rare: RARE, hasWord, keepsOrder: false },
  };
}

/** Once more, when the statement was the victim of a concurrent one, which a second go seldom is. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isConflict(error)) throw error;
    return work();
  }
}

async function transaction(client: PoolClient, steps: readonly Step[]): Promise<CommitOutcome> {
  // Sent at once: the connection answers them in order. A failed statement fails those behind it, and the first one's error is the one to tell.
  const begun = client.query("begin");
  const running = steps.map((step) => runStep(client, step));
  const [opened, ...results] = await Promise.allSettled([begun, ...running]);
  const fault = [opened, ...results].find((result) => result?.status === "rejected");
  if (fault?.status === "rejected") {
    if (!isConnectionFault(fault.reason)) await client.query("rollback");
    throw fault.reason;
  }
  const counts = results.map((result) => (result.status === "fulfilled" ? (result.value.rowCount ?? 0) : 0));
  const failed = steps.findIndex(({ changes }, at) => changes !== undefined && counts[at] !== changes);
  await client.query(failed < 0 ? "commit" : "rollback");
  if (failed >= 0) return { kind: "condition-failed", step: failed };
  return { kind: "committed", changes: counts.reduce((sum, count) => sum + count, 0) };
}

/** Kysely as a typed query builder: it only compiles; the connections run the queries. */
function createQueries(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

function isNamed(names: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`name = any(${names})`;
}

/** As in SQLite: the number of slashes is compared as well, because `%` matches slashes too. */
function matchesParent(pattern: string): Expression<SqlBool> {
  const segments = pattern.split("/");
  const like = segments.map((segment) => (segment === "-" ? "%" : segment.replace(/[%_\\]/g, "\\$&"))).join("/");
  return sql<SqlBool>`(parent like ${like} and length(parent) - length(replace(parent, '/', '')) = ${segments.length - 1})`;
}
