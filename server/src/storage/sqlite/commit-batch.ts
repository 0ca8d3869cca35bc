import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** A step as it crosses to the writer: SQL, values, and the exact number of changed rows it needs (-1: any). */
export type PackedStep = readonly [sql: string, parameters: readonly SQLInputValue[], changes: number];

/** One write: its steps are stored all or none. */
export type PackedWrite = readonly PackedStep[];

/** Why a write was not stored, as far as an `Error` can cross between threads. */
export interface PackedFault {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode?: number;
  /** Node's code, e.g. for a value that cannot be bound. */
  readonly code?: string;
}

/** What became of a write: rows changed, or -1 minus the index of the step whose condition failed, or a fault. */
export type PackedOutcome = number | PackedFault;

/** Prepared statements kept; what is beyond is prepared again when it returns. */
const MAX_STATEMENTS = 500;

/**
 * Answers a function that stores many writes in one transaction, which is one wait for the disk however many they are.
 * Each write is in a savepoint of its own, so that one whose condition fails, or that SQLite refuses, leaves the others.
 * When the transaction itself fails, every write of the batch has that fault.
 */
export function createBatchCommitter(database: DatabaseSync): (writes: readonly PackedWrite[]) => PackedOutcome[] {
  const statements = new Map<string, StatementSync>();
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");
  const save = database.prepare("savepoint one_write");
  const release = database.prepare("release one_write");
  const undo = database.prepare("rollback to one_write");

  function commitBatch(writes: readonly PackedWrite[]): PackedOutcome[] {
    try {
      begin.run();
      const outcomes = writes.map(store);
      commit.run();
      return outcomes;
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      const fault = packFault(error);
      return writes.map(() => fault);
    }
  }

  function store(steps: PackedWrite): PackedOutcome {
    save.run();
    const outcome = attempt(steps);
    if (typeof outcome !== "number" || outcome < 0) undo.run();
    release.run();
    return outcome;
  }

  function attempt(steps: PackedWrite): PackedOutcome {
    try {
      return runSteps(steps);
    } catch (error) {
      // A full disk ends the whole transaction, and with it the batch; anything less concerns this write alone.
      if (!database.isTransaction) throw error;
      return packFault(error);
    }
  }

  function runSteps(steps: PackedWrite): number {
    let total = 0;
    for (const [at, [sql, parameters, expected]] of steps.entries()) {
      const changes = Number(statementFor(sql).run(...parameters).changes);
      if (expected >= 0 && changes !== expected) return -1 - at;
      total += changes;
    }
    return total;
  }

  function statementFor(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const prepared = database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  }

  return commitBatch;
}

/** What of an error survives the way to the other thread. */
export function packFault(error: unknown): PackedFault {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...("errcode" in error && typeof error.errcode === "number" && { errcode: error.errcode }),
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
  };
}
