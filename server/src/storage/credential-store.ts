import { alreadyExists } from "#status";
import type { CredentialQuery, CredentialRow, CredentialStore } from "./caller-contract.ts";
import type { Page } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { prepare, toPage } from "./queries.ts";
import type { StoredCredential } from "./tables.ts";

/** Keys and tokens over any dialect. */
export function createCredentialStore({ queries, all, commit, sharing }: Engine): CredentialStore {
  // Each token that is seen for the first time reads a credential.
  const select = prepare<{ id: string }>()((parameter) =>
    queries.selectFrom("credentials").selectAll().where("id", "=", parameter("id")),
  );
  let generation = 0;
  sharing?.onChange((change) => {
    if (change === undefined || change.kind === "credential") generation += 1;
  });
  const announcement = (name: string) => (sharing ? [sharing.announce([{ kind: "credential", name, type: "" }])] : []);

  /** Counted twice: what was read before the change is stale, and so is what was read while it was made. */
  async function change<Result>(work: () => Promise<Result>): Promise<Result> {
    generation += 1;
    try {
      return await work();
    } finally {
      generation += 1;
    }
  }

  async function get(id: string): Promise<CredentialRow | undefined> {
    const [row] = await all(select({ id }));
    return row && toRow(row);
  }

  async function list({ parent, kinds, after, limit }: CredentialQuery): Promise<Page<CredentialRow>> {
    let select = queries.selectFrom("credentials").selectAll().where("parent", "=", parent);
    if (kinds.length > 0) select = select.where("kind", "in", kinds);
    if (after !== undefined) select = select.where("id", ">", after);
    const ordered = select.orderBy("id").limit(limit + 1);
    return toPage(await all(ordered.compile()), limit, toRow, ({ id }) => [id, id]);
  }

  async function insert(row: CredentialRow): Promise<void> {
    const add = queries
      .insertInto("credentials")
      .values(toStored(row))
      .onConflict((conflict) => conflict.column("id").doNothing());
    const outcome = await change(() => commit([{ ...add.compile(), changes: 1 }, ...announcement(row.id)]));
    if (outcome.kind === "condition-failed") throw alreadyExists(row.id);
  }

  async function remove(id: string): Promise<boolean> {
    const remove = queries.deleteFrom("credentials").where("id", "=", id).compile();
    const outcome = await change(() => commit([{ ...remove, changes: 1 }, ...announcement(id)]));
    return outcome.kind === "committed";
  }

  async function removeExpired(before: number): Promise<number> {
    const outcome = await commit([queries.deleteFrom("credentials").where("expire_time", "<", before).compile()]);
    return outcome.kind === "committed" ? outcome.changes : 0;
  }

  async function touch(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    const steps = [...uses].map(([id, time]) =>
      queries.updateTable("credentials").set({ last_used_time: time }).where("id", "=", id).compile(),
    );
    await commit(steps);
  }

  return { get, list, insert, remove, removeExpired, touch, generation: () => generation };
}

function toStored(row: CredentialRow): StoredCredential {
  const { id, parent, kind, principal, secretDigest, createTime, expireTime, lastUsedTime, body } = row;
  return {
    id,
    parent,
    kind,
    principal,
    secret_digest: secretDigest,
    create_time: createTime,
    expire_time: expireTime ?? null,
    last_used_time: lastUsedTime ?? null,
    body,
  };
}

function toRow(row: StoredCredential): CredentialRow {
  const { id, parent, kind, principal, secret_digest, create_time, expire_time, last_used_time, body } = row;
  return {
    id,
    parent,
    kind,
    principal,
    secretDigest: secret_digest,
    createTime: create_time,
    ...(expire_time !== null && { expireTime: expire_time }),
    ...(last_used_time !== null && { lastUsedTime: last_used_time }),
    body,
  };
}
