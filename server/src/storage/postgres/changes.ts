import type { Change, Step } from "../engine.ts";
import { Batches } from "./batches.ts";
import type { Connections } from "./connections.ts";

/** What other servers wrote, for the caches of this one. */
export interface Changes {
  announce(changes: readonly Change[]): Step;
  onChange(listener: (change: Change | undefined) => void): void;
  /** Reads what is new. Calls at the same time share a round trip; each sees what was durable before it. */
  refresh(): Promise<void>;
}

/** Rows are kept this long: a server that slept longer forgets all that it remembers. */
export const CHANGES_KEPT_MS = 3_600_000;

interface ChangeRow extends Change {
  readonly id: number;
  readonly xmin: string;
}

/**
 * The log of writes that servers remember the outcome of (DB-7). A row becomes visible when its transaction commits, which need not be in the order of ids:
 * so each look reads from the oldest transaction that was running at the last one, and skips the rows that it has had.
 */
export async function openChanges(connections: Connections, owner: string): Promise<Changes> {
  const listeners: ((change: Change | undefined) => void)[] = [];
  let from = await currentXmin(connections);
  let lastLook = performance.now();
  let seen = new Set<number>();

  async function look(): Promise<void> {
    const began = performance.now();
    const { rows } = await connections.query<ChangeRow>({ sql: LOOK, parameters: [from] }, "read");
    if (began - lastLook > CHANGES_KEPT_MS / 2) tell(undefined);
    const found = rows.filter(({ id }) => id !== null);
    for (const { id, origin, kind, name, type } of found as readonly (ChangeRow & { origin: string })[])
      if (origin !== owner && !seen.has(id)) tell({ kind, name, type });
    seen = new Set(found.map(({ id }) => id));
    from = rows[0]?.xmin ?? from;
    lastLook = began;
  }

  function tell(change: Change | undefined): void {
    for (const listener of listeners) listener(change);
  }

  const looks = new Batches<undefined, undefined>({
    // One look after the other: the position moves with each.
    parallel: 1,
    size: Number.POSITIVE_INFINITY,
    run: async (items) => {
      await look();
      return items;
    },
  });

  return {
    announce: (changes) => ({
      sql: "insert into changes (origin, kind, name, type) select $1, kind, name, type from json_to_recordset($2::json) as i(kind text, name text, type text)",
      parameters: [owner, JSON.stringify(changes)],
    }),
    onChange: (listener) => void listeners.push(listener),
    refresh: () => looks.add(undefined),
  };
}

const LOOK = `
select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, c.id, c.origin, c.kind, c.name, c.type
from (select 1) as once left join changes c on c.tx >= $1::text::xid8 order by c.id`;

async function currentXmin(connections: Connections): Promise<string> {
  const sql = "select pg_snapshot_xmin(pg_current_snapshot())::text as xmin";
  const { rows } = await connections.query<{ xmin: string }>({ sql, parameters: [] });
  return rows[0]?.xmin ?? "0";
}
