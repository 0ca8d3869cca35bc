import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { OperationQuery, OperationRow, OperationState, OperationStore, Page } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { toPage } from "./queries.ts";
import type { StoredOperation } from "./tables.ts";

/** Long-running operations over any dialect. */
export function createOperationStore(engine: Engine): OperationStore {
  const { queries, sharing } = engine;

  async function get(name: string): Promise<OperationRow | undefined> {
    const [row] = await engine.all(queries.selectFrom("operations").selectAll().where("name", "=", name).compile());
    return row && toOperationRow(row);
  }

  async function put(row: OperationRow): Promise<void> {
    const { name, cancelling, ...columns } = toStored(row, sharing?.owner ?? "");
    const insert = queries.insertInto("operations").values({ name, cancelling, ...columns });
    const put = insert.onConflict((conflict) => {
      const update = conflict.column("name").doUpdateSet(columns);
      // A server that lost the operation to another one changes nothing: what that one stores counts.
      return sharing ? update.where("operations.owner", "=", sharing.owner) : update;
    });
    await engine.commit([put.compile()]);
  }

  async function list(parent: string, limit: number, after?: string): Promise<Page<OperationRow>> {
    let select = queries.selectFrom("operations").selectAll().where("parent", "=", parent);
    if (after !== undefined) select = select.where("name", ">", after);
    const page = select.orderBy("name").limit(limit + 1);
    const rows = await engine.all(page.compile());
    return toPage(rows, limit, toOperationRow, (row) => [row.name, row.name]);
  }

  async function newest(query: OperationQuery): Promise<Page<OperationRow>> {
    const rows = await engine.all(selectNewest(engine, query));
    return toPage(rows, query.limit, toOperationRow, (row) => [row.create_time, row.name]);
  }

  async function countDead(): Promise<number> {
    const select = queries.selectFrom("operations").select((builder) => builder.fn.countAll<number>().as("dead"));
    const [count] = await engine.all(select.where("dead", "=", 1).compile());
    return Number(count?.dead ?? 0);
  }

  async function reopen(row: OperationRow): Promise<boolean> {
    const { name, ...columns } = toStored(row, sharing?.owner ?? "");
    const update = queries.updateTable("operations").set(columns).where("name", "=", name).where("dead", "=", 1);
    return (await engine.commit([{ ...update.compile(), changes: 1 }])).kind === "committed";
  }

  async function claim(name: string): Promise<OperationRow | undefined> {
    const owner = sharing?.owner ?? "";
    const update = queries.updateTable("operations").set({ owner, due_time: null }).where("name", "=", name);
    const claimed = await engine.commit([{ ...update.where("done", "=", 0).compile(), changes: 1 }]);
    return claimed.kind === "committed" ? get(name) : undefined;
  }

  async function remove(name: string): Promise<boolean> {
    const outcome = await engine.commit([queries.deleteFrom("operations").where("name", "=", name).compile()]);
    return outcome.kind === "committed" && outcome.changes > 0;
  }

  async function removeDone(before: number, limit: number): Promise<number> {
    const done = queries.selectFrom("operations").select("name").where("done", "=", 1).where("dead", "=", 0);
    const oldest = done.where("create_time", "<", before).orderBy("create_time").limit(limit);
    const outcome = await engine.commit([queries.deleteFrom("operations").where("name", "in", oldest).compile()]);
    return outcome.kind === "committed" ? outcome.changes : 0;
  }

  async function unfinished(): Promise<readonly OperationRow[]> {
    if (sharing) await engine.commit([sharing.adoptOperations()]);
    const select = queries
      .selectFrom("operations")
      .selectAll()
      .where("done", "=", 0)
      .where("owner", "=", sharing?.owner ?? "")
      .orderBy("create_time")
      .orderBy("name");
    return (await engine.all(select.compile())).map(toOperationRow);
  }

  const change = (row: OperationRow) => changeOwn(engine, row);
  const store = { get, put, change, list, newest, countDead, reopen, claim, remove, removeDone, unfinished };
  return sharing ? { ...store, shared: shareOperations(engine, sharing.owner) } : store;
}

async function changeOwn({ queries, sharing, commit }: Engine, row: OperationRow): Promise<boolean> {
  const { name, cancelling: _, ...columns } = toStored(row, sharing?.owner ?? "");
  let update = queries.updateTable("operations").set(columns).where("name", "=", name);
  // A server that lost the operation to another one changes nothing: what that one stores counts.
  if (sharing) update = update.where("owner", "=", sharing.owner);
  return (await commit([{ ...update.compile(), changes: 1 }])).kind === "committed";
}

function selectNewest({ queries }: Engine, { parent, state, after, limit }: OperationQuery) {
  return queries
    .selectFrom("operations")
    .selectAll()
    .where("parent", "=", parent)
    .$if(state !== undefined, (select) => select.where(STATES[state ?? "running"]))
    .$if(after !== undefined, (select) =>
      select.where(sql<SqlBool>`(${sql.ref("create_time")}, ${sql.ref("name")}) < (${after?.[0]}, ${after?.[1]})`),
    )
    .orderBy("create_time", "desc")
    .orderBy("name", "desc")
    .limit(limit + 1)
    .compile();
}

function shareOperations({ queries, all, commit }: Engine, owner: string): NonNullable<OperationStore["shared"]> {
  return {
    requestCancel: async (name) => {
      const ask = queries
        .updateTable("operations")
        .set({ cancelling: 1 })
        .where("name", "=", name)
        .where("done", "=", 0);
      await commit([ask.compile()]);
    },
    askedOf: async (names) => {
      if (names.length === 0) return { cancelled: [], lost: [] };
      const select = queries.selectFrom("operations").select(["name", "owner", "cancelling"]).where("done", "=", 0);
      const rows = await all(select.where("name", "in", names).compile());
      const mine = rows.filter((row) => row.owner === owner);
      return {
        cancelled: mine.filter(({ cancelling }) => cancelling === 1).map(({ name }) => name),
        lost: rows.filter((row) => row.owner !== owner).map(({ name }) => name),
      };
    },
  };
}

function toStored(row: OperationRow, owner: string): StoredOperation {
  const { name, parent, subject, done, createTime, kind, metadata, response, error, attempts } = row;
  const payloads = { metadata, response, error, last_error: row.lastError };
  return {
    name,
    parent,
    subject,
    done: done ? 1 : 0,
    create_time: createTime,
    kind,
    owner,
    cancelling: 0,
    attempts,
    due_time: row.dueTime ?? null,
    dead: row.isDead ? 1 : 0,
    ...payloads,
  };
}

function toOperationRow(row: StoredOperation): OperationRow {
  const { name, parent, subject, done, create_time, kind, metadata, response, error, attempts, due_time, dead } = row;
  return {
    ...{ name, parent, subject, done: done === 1, createTime: create_time, kind, metadata, response, error, attempts },
    ...(due_time !== null && { dueTime: due_time }),
    isDead: dead === 1,
    lastError: row.last_error,
  };
}

/** The conditions of the states. */
const STATES: Readonly<Record<OperationState, RawBuilder<SqlBool>>> = {
  running: sql`done = 0 and due_time is null`,
  waiting: sql`done = 0 and due_time is not null`,
  succeeded: sql`done = 1 and length(error) = 0`,
  failed: sql`done = 1 and dead = 0 and length(error) > 0`,
  dead: sql`dead = 1`,
};
