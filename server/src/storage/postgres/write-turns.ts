import type { AppendedTurn } from "../engine.ts";
import type { StorageError } from "../errors.ts";
import { appendStatement } from "./append-turns.ts";
import { Batches } from "./batches.ts";
import type { Connections } from "./connections.ts";
import { overloaded } from "./overload-detector.ts";
import { isConflict, isConnectionFault, isReadOnly, isStatementTimeout, toStorageError } from "./to-storage-error.ts";

interface TurnWriterOptions {
  /** Where the database is, for messages. */
  readonly place: string;
  /** Called after each commit with the number of turns that shared it. */
  readonly onCommit?: ((writes: number) => void) | undefined;
}

/** Turns of one commit, commits at a time, and turns that wait: with more than these the database is too slow, and later ones are refused at once. */
const APPENDS = { size: 100, parallel: 2, waiting: 4_000 };
/** Milliseconds in which turns are stored, or refused: a restart of the database takes seconds, in which a commit whose connection was lost is asked for again. */
const RESOLVE_MS = 8_000;
const RESOLVE_PAUSE_MS = 100;
/** Milliseconds of these that turns have at least, however long they waited for others. */
const LEAST_MS = 2_000;
/** Milliseconds after which a statement without an answer is sent again, over another connection. */
const ATTEMPT_MS = 4_000;

/** Stores turns; those that wait at the same time share a commit. The outcome is whether the turn was stored, or why none could be. */
export function createTurnWriter(
  connections: Connections,
  { place, onCommit }: TurnWriterOptions,
): Batches<AppendedTurn, boolean | StorageError> {
  /** A fault of one turn must not fail the others, so a batch that the database rejects is stored turn by turn. */
  async function storeBatch(
    turns: readonly AppendedTurn[],
    waitedMs: number,
  ): Promise<readonly (boolean | StorageError)[]> {
    const until = performance.now() + Math.max(LEAST_MS, RESOLVE_MS - waitedMs);
    try {
      const outcomes = await store(turns, until);
      onCommit?.(turns.length);
      return outcomes;
    } catch (error) {
      if (turns.length === 1 || mayBeAnsweredLater(error)) return turns.map(() => toStorageError(error, place));
      return Promise.all(
        turns.map((turn) =>
          store([turn], until).then(
            ([stored]) => stored === true,
            (fault: unknown) => toStorageError(fault, place),
          ),
        ),
      );
    }
  }

  /**
   * When the connection is lost while the database commits, nobody knows whether it did: the batch is stored again, and a turn that is refused
   * then is looked up, because it may be the one that was stored the first time (DB-4).
   */
  async function store(turns: readonly AppendedTurn[], until: number): Promise<readonly boolean[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const left = until - performance.now();
        const timeoutMs = Math.min(left, ATTEMPT_MS);
        const { rows } = await connections.query<{ name: string }>(appendStatement(turns), undefined, timeoutMs);
        const stored = new Set(rows.map(({ name }) => name));
        if (attempt === 0) return turns.map(({ head }) => stored.has(head.name));
        return await Promise.all(turns.map(async (turn) => stored.has(turn.head.name) || (await isStored(turn, left))));
      } catch (error) {
        if (!mayBeAnsweredLater(error) && !isConflict(error)) throw error;
        if (performance.now() + RESOLVE_PAUSE_MS > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, RESOLVE_PAUSE_MS));
      }
    }
  }

  async function isStored({ head, body }: AppendedTurn, timeoutMs: number): Promise<boolean> {
    const sql =
      "select 1 as found from turns t join conversations c on c.id = t.conversation where c.name = $1 and t.turn_index = $2 and t.body = $3";
    const parameters = [head.name, head.turn_count, body];
    const { rows } = await connections.query<{ found: number }>({ sql, parameters }, undefined, timeoutMs);
    return rows.length > 0;
  }

  return new Batches({
    keyOf: ({ head }) => head.name,
    parallel: APPENDS.parallel,
    size: APPENDS.size,
    limit: { waiting: APPENDS.waiting, refusal: overloaded },
    run: storeBatch,
  });
}

/** Whether the same statement may be answered over another connection. */
function mayBeAnsweredLater(error: unknown): boolean {
  return isConnectionFault(error) || isStatementTimeout(error) || isReadOnly(error);
}
