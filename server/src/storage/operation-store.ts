import type { OperationRow, OperationStore, Page } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { toPage } from "./queries.ts";
import type { StoredOperation } from "./tables.ts";

/** Long-running operations over any dialect. */
export function createOperationStore(engine: Engine): OperationStore {
  const { queries } = engine;

  async function get(name: string): Promise<OperationRow | undefined> {
    const [row] = await engine.all(queries.selectFrom("operations").selectAll().where("name", "=", name).compile());
    return row && toOperationRow(row);
  }

  async function put(row: OperationRow): Promise<void> {
    const { name, ...columns } = toStored(row);
    const insert = queries.insertInto("operations").values({ name, ...columns });
    await engine.commit([insert.onConflict((conflict) => conflict.column("name").doUpdateSet(columns)).compile()]);
  }

  async function list(parent: string, limit: number, after?: string): Promise<Page<OperationRow>> {
    let select = queries.selectFrom("operations").selectAll().where("parent", "=", parent);
    if (after !== undefined) select = select.where("name", ">", after);
    const rows = await engine.all(
      select
        .orderBy("name")
        .limit(limit + 1)
        .compile(),
    );
    return toPage(rows, limit, toOperationRow, (row) => [row.name, row.name]);
  }

  async function remove(name: string): Promise<boolean> {
    const outcome = await engine.commit([queries.deleteFrom("operations").where("name", "=", name).compile()]);
    return outcome.kind === "committed" && outcome.changes > 0;
  }

  async function unfinished(): Promise<readonly OperationRow[]> {
    const select = queries
      .selectFrom("operations")
      .selectAll()
      .where("done", "=", 0)
      .orderBy("create_time")
      .orderBy("name");
    return (await engine.all(select.compile())).map(toOperationRow);
  }

  return { get, put, list, remove, unfinished };
}

function toStored(row: OperationRow): StoredOperation {
  const { name, parent, subject, done, createTime, kind, metadata, response, error } = row;
  return { name, parent, subject, done: done ? 1 : 0, create_time: createTime, kind, metadata, response, error };
}

function toOperationRow(row: StoredOperation): OperationRow {
  const { name, parent, subject, done, create_time, kind, metadata, response, error } = row;
  return { name, parent, subject, done: done === 1, createTime: create_time, kind, metadata, response, error };
}
