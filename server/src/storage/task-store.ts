import { type SqlBool, sql } from "kysely";
import type { Engine, Step } from "./engine.ts";
import { toPage } from "./queries.ts";
import type { StoredPushConfig, StoredTask } from "./tables.ts";
import type { DueConfig, PushConfigRow, TaskHead, TaskPage, TaskQuery, TaskRow, TaskStore } from "./task-contract.ts";

/** Tasks of the A2A protocol, and where their changes are announced, over any dialect. */
export function createTaskStore(engine: Engine): TaskStore {
  const { queries, all, commit, sharing } = engine;
  const server = sharing?.owner ?? "";

  async function get(id: string): Promise<TaskRow | undefined> {
    const [row] = await all(queries.selectFrom("a2a_tasks").selectAll().where("id", "=", id).compile());
    return row && toTaskRow(row);
  }

  async function heads(ids: readonly string[]): Promise<readonly TaskHead[]> {
    if (ids.length === 0) return [];
    return all(queries.selectFrom("a2a_tasks").select(["id", "version", "state"]).where("id", "in", ids).compile());
  }

  async function create(row: TaskRow, config?: PushConfigRow): Promise<void> {
    const insert = queries.insertInto("a2a_tasks").values(toStoredTask(row, server)).compile();
    await commit([insert, ...(config ? [insertConfig(engine, config)] : [])]);
  }

  async function replace(row: TaskRow, announceTime?: number): Promise<boolean> {
    const { id, ...columns } = toStoredTask(row, server);
    const update = queries.updateTable("a2a_tasks").set(columns).where("id", "=", id);
    const steps: Step[] = [{ ...update.where("version", "=", row.version - 1).compile(), changes: 1 }];
    if (announceTime !== undefined) {
      const announce = queries.updateTable("a2a_push_configs").set({ due_time: announceTime, attempts: 0 });
      steps.push(announce.where("task", "=", id).compile());
    }
    return (await commit(steps)).kind === "committed";
  }

  async function remove(id: string): Promise<void> {
    await commit([queries.deleteFrom("a2a_tasks").where("id", "=", id).compile()]);
  }

  async function list(query: TaskQuery): Promise<TaskPage> {
    const [count] = await all(
      matching(engine, query)
        .select((builder) => builder.fn.countAll<number>().as("total"))
        .compile(),
    );
    const { after, limit } = query;
    const rows = await all(
      matching(engine, query)
        .selectAll()
        .$if(after !== undefined, (select) =>
          select.where(sql<SqlBool>`(${sql.ref("update_time")}, ${sql.ref("id")}) < (${after?.[0]}, ${after?.[1]})`),
        )
        .orderBy("update_time", "desc")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .compile(),
    );
    return { ...toPage(rows, limit, toTaskRow, (row) => [row.update_time, row.id]), total: Number(count?.total ?? 0) };
  }

  async function unfinished(): Promise<readonly TaskRow[]> {
    if (sharing) await all(sharing.adoptTasks());
    const select = queries.selectFrom("a2a_tasks").selectAll().where("finished", "=", 0).where("server", "=", server);
    return (await all(select.orderBy("update_time").compile())).map(toTaskRow);
  }

  async function removeStray(now: number): Promise<void> {
    const stray = queries.deleteFrom("a2a_tasks").where("expire_time", "<", now);
    const isStray = stray.where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("conversations").select("name").whereRef("name", "=", "a2a_tasks.conversation"))),
    );
    await commit([isStray.compile()]);
  }

  const store = { get, heads, create, replace, remove, list, unfinished, removeStray, ...createConfigs(engine) };
  return sharing ? { ...store, adopt: async () => (await all(sharing.adoptTasks())).map(toTaskRow) } : store;
}

type Configs = Pick<
  TaskStore,
  "configs" | "allConfigs" | "rewriteConfig" | "putConfig" | "removeConfig" | "due" | "nextDue" | "putOff" | "settle"
>;

/** Where changes of tasks are announced. */
function createConfigs(engine: Engine): Configs {
  const { queries, all, commit } = engine;

  async function configs(task: string): Promise<readonly PushConfigRow[]> {
    const select = queries.selectFrom("a2a_push_configs").selectAll().where("task", "=", task);
    return (await all(select.orderBy("create_time").orderBy("id").compile())).map(toConfigRow);
  }

  async function allConfigs(after: Pick<PushConfigRow, "task" | "id"> | undefined, limit: number) {
    const isAfter = sql<SqlBool>`(${sql.ref("task")}, ${sql.ref("id")}) > (${after?.task}, ${after?.id})`;
    const select = queries
      .selectFrom("a2a_push_configs")
      .selectAll()
      .$if(after !== undefined, (query) => query.where(isAfter));
    return (await all(select.orderBy("task").orderBy("id").limit(limit).compile())).map(toConfigRow);
  }

  async function rewriteConfig({ task, id, body }: PushConfigRow, before: Uint8Array): Promise<void> {
    const update = queries.updateTable("a2a_push_configs").set({ body }).where("task", "=", task).where("id", "=", id);
    await commit([update.where("body", "=", before).compile()]);
  }

  async function putConfig(row: PushConfigRow): Promise<void> {
    await commit([insertConfig(engine, row)]);
  }

  async function removeConfig(task: string, id: string): Promise<void> {
    await commit([queries.deleteFrom("a2a_push_configs").where("task", "=", task).where("id", "=", id).compile()]);
  }

  async function due(time: number, limit: number): Promise<readonly DueConfig[]> {
    const select = queries.selectFrom("a2a_push_configs").selectAll().where("due_time", "<=", time);
    const rows = await all(select.orderBy("due_time").limit(limit).compile());
    return rows.map((row) => ({ ...toConfigRow(row), dueTime: row.due_time ?? 0, attempts: row.attempts }));
  }

  async function nextDue(): Promise<number | undefined> {
    const select = queries.selectFrom("a2a_push_configs").select("due_time").where("due_time", "is not", null);
    const [row] = await all(select.orderBy("due_time").limit(1).compile());
    return row?.due_time ?? undefined;
  }

  async function putOff({ task, id, dueTime }: DueConfig, time: number): Promise<boolean> {
    const update = queries.updateTable("a2a_push_configs").set({ due_time: time });
    const due = update.where("task", "=", task).where("id", "=", id).where("due_time", "=", dueTime);
    return (await commit([{ ...due.compile(), changes: 1 }])).kind === "committed";
  }

  async function settle({ task, id, dueTime, attempts }: DueConfig, nextTime: number | undefined): Promise<void> {
    const update = queries
      .updateTable("a2a_push_configs")
      .set({ due_time: nextTime ?? null, attempts: nextTime === undefined ? 0 : attempts + 1 })
      .where("task", "=", task)
      .where("id", "=", id)
      // A change that came meanwhile stays due.
      .where("due_time", "=", dueTime);
    await commit([update.compile()]);
  }

  return { configs, allConfigs, rewriteConfig, putConfig, removeConfig, due, nextDue, putOff, settle };
}

function matching({ queries }: Engine, { tenant, owner, contextId, state, updatedFrom }: TaskQuery) {
  return queries
    .selectFrom("a2a_tasks")
    .where("tenant", "=", tenant)
    .where("owner", "=", owner)
    .$if(contextId !== undefined, (select) => select.where("context_id", "=", contextId ?? ""))
    .$if(state !== undefined, (select) => select.where("state", "=", state ?? 0))
    .$if(updatedFrom !== undefined, (select) => select.where("update_time", ">=", updatedFrom ?? 0));
}

/** A config of the same id is replaced. */
function insertConfig({ queries }: Engine, { task, id, createTime, body }: PushConfigRow): Step {
  const columns = { body, create_time: createTime, due_time: null, attempts: 0 };
  const insert = queries.insertInto("a2a_push_configs").values({ task, id, ...columns });
  return insert.onConflict((conflict) => conflict.columns(["task", "id"]).doUpdateSet(columns)).compile();
}

function toStoredTask(row: TaskRow, server: string): StoredTask {
  return {
    id: row.id,
    owner: row.owner,
    tenant: row.tenant,
    context_id: row.contextId,
    conversation: row.conversation,
    state: row.state,
    finished: row.finished ? 1 : 0,
    turn: row.turn,
    create_time: row.createTime,
    update_time: row.updateTime,
    expire_time: row.expireTime ?? null,
    version: row.version,
    body: row.body,
    server,
  };
}

function toTaskRow(row: StoredTask): TaskRow {
  return {
    id: row.id,
    owner: row.owner,
    tenant: row.tenant,
    contextId: row.context_id,
    conversation: row.conversation,
    state: row.state,
    finished: row.finished === 1,
    turn: row.turn,
    createTime: row.create_time,
    updateTime: row.update_time,
    expireTime: row.expire_time ?? undefined,
    version: row.version,
    body: row.body,
  };
}

function toConfigRow(row: StoredPushConfig): PushConfigRow {
  return { task: row.task, id: row.id, createTime: row.create_time, body: row.body };
}
