import type { AuditQuery, AuditRow, AuditStore } from "./caller-contract.ts";
import type { Engine } from "./engine.ts";
import { removeAuditBefore } from "./remove-in-pieces.ts";

/** The audit log over any dialect. */
export function createAuditStore(engine: Engine): AuditStore {
  const { queries, late, whileInTime, commit } = engine;
  async function append(rows: readonly AuditRow[]): Promise<void> {
    if (rows.length === 0) return;
    const values = rows.map(({ time, principal, method, resource, body, entry }) => ({
      time,
      principal,
      method,
      resource,
      body,
      entry,
    }));
    const insert = queries.insertInto("audit").values(values);
    await commit([insert.onConflict((conflict) => conflict.doNothing()).compile()]);
  }

  async function list(query: AuditQuery, signal?: AbortSignal): Promise<readonly AuditRow[]> {
    const { since, until, principal, method, resource, before, limit } = query;
    let select = queries.selectFrom("audit").selectAll().where(whileInTime("audit.id"));
    if (since !== undefined) select = select.where("time", ">=", since);
    if (until !== undefined) select = select.where("time", "<", until);
    if (principal !== undefined) select = select.where("principal", "=", principal);
    if (method !== undefined)
      select = select.where((where) =>
        where.or([where("method", "=", method), where("method", "like", likeEnd(method))]),
      );
    if (resource !== undefined)
      select = select.where((where) =>
        where.or([
          where("resource", "=", resource),
          // Names below it: `0` follows `/`.
          where.and([where("resource", ">", `${resource}/`), where("resource", "<", `${resource}0`)]),
        ]),
      );
    if (before !== undefined) select = select.where("id", "<", before);
    return late(select.orderBy("id", "desc").limit(limit).compile(), signal);
  }

  return { append, list, removeBefore: (time) => removeAuditBefore(engine, time) };
}

/** A method by the end of its full name. What a pattern reads as any text is no character of a name. */
function likeEnd(method: string): string {
  return `%.${method.replaceAll(/[%_\\]/g, "")}`;
}
