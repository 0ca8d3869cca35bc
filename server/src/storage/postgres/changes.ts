import type { Change, Step } from "../engine.ts";
import type { TurnStarts } from "./begin-turns.ts";

/** What other servers wrote, for the caches of this one. */
interface Changes {
  announce(changes: readonly Change[]): Step;
  onChange(listener: (change: Change | undefined) => void): void;
  /** Lets go of all that is remembered: the database may lack writes of this server, and have others that its log says nothing of. */
  forget(): void;
  /** Reads what is new. Calls at the same time share a round trip; each sees what was durable before it. */
  refresh(): Promise<void>;
}

/** Rows are kept this long: a server that slept longer forgets all that it remembers. */
export const CHANGES_KEPT_MS = 3_600_000;

/**
 * The log of writes that servers remember the outcome of (DB-7). A row becomes visible when its transaction commits, which need not be in the order of ids:
 * so each look reads from the oldest transaction that was running at the last one, and skips the rows that it has had.
 */
export function openChanges(starts: TurnStarts, owner: string): Changes {
  const listeners: ((change: Change | undefined) => void)[] = [];
  let seen = new Set<number>();

  function tell(change: Change | undefined): void {
    for (const listener of listeners) listener(change);
  }

  starts.onChanges((rows, asleepMs) => {
    if (asleepMs > CHANGES_KEPT_MS / 2) tell(undefined);
    for (const { id, origin, kind, name, type } of rows)
      if (origin !== owner && !seen.has(id)) tell({ kind, name, type });
    seen = new Set(rows.map(({ id }) => id));
  });

  return {
    announce: (changes) => ({
      sql: "insert into changes (origin, kind, name, type) select $1, kind, name, type from json_to_recordset($2::json) as i(kind text, name text, type text)",
      parameters: [owner, JSON.stringify(changes)],
    }),
    onChange: (listener) => void listeners.push(listener),
    forget: () => {
      seen = new Set();
      tell(undefined);
    },
    refresh: starts.look,
  };
}
