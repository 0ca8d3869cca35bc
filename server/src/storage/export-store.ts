import type { Engine } from "./engine.ts";
import type { ExportLimit, ExportStore, StoredExport } from "./export-contract.ts";

/** Rows for other services over any dialect. */
export function createExportStore({ queries, all, commit }: Engine): ExportStore {
  /** One look-up in the index each: a distinct query would read every row that waits. */
  async function destinations(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after = ""; ; ) {
      const select = queries.selectFrom("exports").select("destination").where("destination", ">", after);
      const [next] = await all(select.orderBy("destination").limit(1).compile());
      if (!next) return found;
      after = next.destination;
      found.push(after);
    }
  }

  async function next(destination: string, { rows, bytes }: ExportLimit): Promise<readonly StoredExport[]> {
    const ofDestination = queries.selectFrom("exports").where("destination", "=", destination).orderBy("id");
    const sizes = await all(ofDestination.select(["id", "bytes"]).limit(rows).compile());
    let total = 0;
    const fitting = sizes.filter((row, at) => {
      total += row.bytes;
      return at === 0 || total <= bytes;
    });
    const last = fitting.at(-1);
    if (!last) return [];
    const found = await all(ofDestination.select(["id", "created_time", "body"]).where("id", "<=", last.id).compile());
    return found.map((row) => ({ id: row.id, createTime: row.created_time, body: row.body }));
  }

  async function remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await commit([queries.deleteFrom("exports").where("id", "in", ids).compile()]);
  }

  async function oldest(): Promise<number | undefined> {
    const [row] = await all(queries.selectFrom("exports").select("created_time").orderBy("id").limit(1).compile());
    return row?.created_time;
  }

  return { destinations, next, remove, oldest };
}
