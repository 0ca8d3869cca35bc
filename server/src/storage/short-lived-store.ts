import type { Clock } from "#base";
import type { Engine } from "./engine.ts";
import type { ShortLived, ShortLivedStore } from "./shared-contract.ts";

/** Values that expire, over any dialect. Each write of a kind deletes what has expired of it, so no job has to (DB-12). */
export function createShortLivedStore(engine: Engine, clock: Clock): ShortLivedStore {
  const { queries, all, commit, sharing } = engine;

  async function add(value: ShortLived, most: number): Promise<boolean> {
    const latest = queries.selectFrom("short_lived").select("key").where("kind", "=", value.kind);
    const surplus = latest
      .orderBy("expire_time", "desc")
      .limit(SURPLUS)
      .offset(most - 1);
    const outcome = await commit([
      expired(value.kind),
      queries.deleteFrom("short_lived").where("kind", "=", value.kind).where("key", "in", surplus).compile(),
      {
        ...insert(value)
          .onConflict((conflict) => conflict.doNothing())
          .compile(),
        changes: 1,
      },
    ]);
    return outcome.kind === "committed";
  }

  async function put(value: ShortLived): Promise<void> {
    const { kind, key, body, expireTime } = value;
    const upsert = insert(value).onConflict((conflict) =>
      conflict.columns(["kind", "key"]).doUpdateSet({ body, expire_time: expireTime }),
    );
    const announcement = sharing ? [sharing.announce([{ kind: "value", name: key, type: kind }])] : [];
    await commit([expired(kind), upsert.compile(), ...announcement]);
  }

  async function get(kind: string, key: string): Promise<string | undefined> {
    const select = queries.selectFrom("short_lived").select("body").where("kind", "=", kind).where("key", "=", key);
    const [row] = await all(select.where("expire_time", ">", clock.now()).compile());
    return row?.body;
  }

  async function replace(kind: string, key: string, before: string, after: string): Promise<boolean> {
    const update = queries.updateTable("short_lived").set({ body: after }).where("kind", "=", kind);
    const same = update.where("key", "=", key).where("body", "=", before).where("expire_time", ">", clock.now());
    return (await commit([{ ...same.compile(), changes: 1 }])).kind === "committed";
  }

  async function take(kind: string, key: string): Promise<string | undefined> {
    const body = await get(kind, key);
    if (body === undefined) return undefined;
    const remove = queries.deleteFrom("short_lived").where("kind", "=", kind).where("key", "=", key);
    const outcome = await commit([{ ...remove.where("body", "=", body).compile(), changes: 1 }]);
    return outcome.kind === "committed" ? body : undefined;
  }

  async function remove(kind: string, key: string): Promise<void> {
    await commit([queries.deleteFrom("short_lived").where("kind", "=", kind).where("key", "=", key).compile()]);
  }

  const expired = (kind: string) =>
    queries.deleteFrom("short_lived").where("kind", "=", kind).where("expire_time", "<=", clock.now()).compile();
  const insert = ({ kind, key, body, expireTime }: ShortLived) =>
    queries.insertInto("short_lived").values({ kind, key, body, expire_time: expireTime });

  const onPut: ShortLivedStore["onPut"] = (kind, listener) =>
    sharing?.onChange((change) => {
      if (change?.kind === "value" && change.type === kind) listener(change.name);
    });

  return { add, put, get, replace, take, remove, onPut };
}

/** Values beyond the limit that one addition deletes, at most. */
const SURPLUS = 100;
