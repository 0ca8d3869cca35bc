import type { Engine } from "./engine.ts";
import { isUnder } from "./queries.ts";

/** Rows that one transaction removes: a lock on a few for some milliseconds. */
const PIECE = 500;

/**
 * Removes the conversations below a name, and what waits of them for other services, in transactions of their own (DB-27). There may be millions: one statement for all would take longer
 * than a statement may, and while it runs no server would learn of a change (DB-7). Several may do so at a time.
 */
export async function removeConversationsBelow({ queries, all, commit }: Engine, name: string): Promise<void> {
  const conversations = queries.selectFrom("conversations").select("name").where(isUnder(name)).orderBy("name");
  for (let after = ""; ; ) {
    const rows = await all(conversations.where("name", ">", after).limit(PIECE).compile());
    const last = rows.at(-1);
    if (!last) break;
    const names = rows.map((row) => row.name);
    await commit([queries.deleteFrom("conversations").where("name", "in", names).compile()]);
    after = last.name;
  }
  const exported = queries.selectFrom("exports").select("id").where("app", "=", name).limit(PIECE).compile();
  for (;;) {
    const ids = (await all(exported)).map(({ id }) => id);
    if (ids.length === 0) return;
    await commit([queries.deleteFrom("exports").where("id", "in", ids).compile()]);
  }
}

/** Removes entries of the audit log that are older than a time, the oldest first, in the same way. Returns how many. */
export async function removeAuditBefore({ queries, commit }: Engine, time: number): Promise<number> {
  const oldest = queries.selectFrom("audit").select("id").where("time", "<", time).orderBy("time").limit(PIECE);
  const remove = queries.deleteFrom("audit").where("id", "in", oldest).compile();
  for (let removed = 0; ; ) {
    const outcome = await commit([remove]);
    const changes = outcome.kind === "committed" ? outcome.changes : 0;
    removed += changes;
    if (changes === 0) return removed;
  }
}
