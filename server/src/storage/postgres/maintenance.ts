import { CHANGES_KEPT_MS } from "./changes.ts";
import type { Connections } from "./connections.ts";

/** Turns deleted by one statement: a lock on a few rows for a few milliseconds. */
const PIECE = 500;

/** Deletes what no statement reads any more, in pieces (DB-18). Stops when the signal fires. */
export async function maintain(connections: Connections, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await removeTurns(connections)) > 0);
  await connections.query({
    sql: "delete from changes where written_time < clock_timestamp() - $1::float8 * interval '1 millisecond'",
    parameters: [CHANGES_KEPT_MS],
  });
  await connections.query({
    sql: "delete from changes where kind = 'value' and written_time < clock_timestamp() - interval '1 minute'",
    parameters: [],
  });
  await connections.query({
    // One that is still held after that time is a long turn of a server that lives, or was left behind by one that does not.
    sql: `delete from leases l where used_time < clock_timestamp() - interval '10 minutes'
      and not (held and exists (select 1 from replicas r where r.id = l.owner and r.until > clock_timestamp()))`,
    parameters: [],
  });
  await connections.query({
    sql: "delete from replicas where until < clock_timestamp() - interval '1 hour'",
    parameters: [],
  });
}

/** Deletes turns of removed conversations. Returns how many rows changed. */
async function removeTurns(connections: Connections): Promise<number> {
  const { rowCount } = await connections.query({
    sql: `
    with removed as materialized (
      select id from removed_conversations order by id limit 100 for update skip locked
    ), gone as (
      delete from turns where id in (
        select t.id from turns t where t.conversation in (select id from removed) limit $1
      ) returning conversation
    )
    select 1 from gone`,
    parameters: [PIECE],
  });
  if (rowCount) return rowCount;
  const done = await connections.query({
    sql: `delete from removed_conversations r where id in (select id from removed_conversations order by id limit 100)
      and not exists (select 1 from turns t where t.conversation = r.id)`,
    parameters: [],
  });
  return done.rowCount ?? 0;
}
