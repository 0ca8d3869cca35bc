import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { createPreparedStatements } from "./prepared-statements.ts";

/** A step in a message to the writer: SQL, values, and the number of rows that it must change (-1: any). */
export type PackedStep = readonly [sql: string, parameters: readonly SQLInputValue[], changes: number];

/** One write: all of its steps are stored, or none. */
export type PackedWrite = readonly PackedStep[];

/** Why a write failed: what structured clone keeps of an `Error`, and its codes. */
export interface PackedError {
  readonly message: string;
  /** SQLite's extended result code. */
  readonly errcode?: number;
  /** Node's code, e.g. for a value that cannot be bound. */
  readonly code?: string;
}

/** The outcome of a write: the number of changed rows, or -1 minus the index of the step whose condition failed, or an error. */
export type PackedOutcome = number | PackedError;

/**
 * Creates the group commit: a function that stores many writes in one transaction, which is one wait for the disk however many they are.
 * Each write has a savepoint of its own, so that a failed condition, or an error of SQLite, undoes that write alone. When the transaction
 * itself fails, every write of the batch fails with its error.
 */
export function createBatchCommitter(database: DatabaseSync): (writes: readonly PackedWrite[]) => PackedOutcome[] {
  const statementFor = createPreparedStatements(database);
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
      const packed = packError(error);
      return writes.map(() => packed);
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
      // A full disk ends the whole transaction, and with it the batch; any other error concerns this write alone.
      if (!database.isTransaction) throw error;
      return packError(error);
    }
  }

  function runSteps(steps: PackedWrite): number {
    let total = 0;
    for (const [at, [sql, parameters, expected]] of steps.entries()) {
      const changes = Number(statementFor(sql).run(...parameters.map(toBind)).changes);
      if (expected >= 0 && changes !== expected) return -1 - at;
      total += changes;
    }
    return total;
  }

  return commitBatch;
}

/** No bytes, but an address. */
const EMPTY = new Uint8Array(1).subarray(0, 0);

/** Bytes without an address, as empty ones of another thread are, Node 22 stores as NULL. */
function toBind(value: SQLInputValue): SQLInputValue {
  return value instanceof Uint8Array && value.length === 0 ? EMPTY : value;
}

/** An error in the form that is sent to the other thread. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    errcode: "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined,
    code: "code" in error && typeof error.code === "string" ? error.code : undefined,
  };
}
