import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import type { CredentialRow, Storage } from "#storage";

/** A credential of a project. */
function row(id: string, more: Partial<CredentialRow> = {}): CredentialRow {
  return {
    id,
    parent: "projects/p",
    kind: "api-key",
    principal: `apiKey:${id}`,
    secretDigest: "digest",
    createTime: 1_000,
    body: "{}",
    ...more,
  };
}

const idsOf = (rows: readonly CredentialRow[]) => rows.map(({ id }) => id);

/** What every dialect promises of credentials. */
export function credentialContract(use: () => Storage): void {
  describe("credentials", () => {
    it("are read as they were stored, and are never replaced", async () => {
      const { credentials } = use();
      const stored = row("once", { expireTime: 5_000, lastUsedTime: 2_000, body: '{"a":1}' });
      await credentials.insert(stored);
      const again = await credentials.insert(row("once")).then(() => assert.fail("it was stored"), ConnectError.from);
      assert.equal(again.code, Code.AlreadyExists);
      assert.deepEqual(await credentials.get("once"), stored);
      assert.equal(await credentials.get("none"), undefined);
    });

    it("are listed by project and kind, page by page", async () => {
      const { credentials } = use();
      const parent = "projects/listed";
      for (const [id, kind] of [
        ["l3", "api-key"],
        ["l1", "session"],
        ["l2", "api-key"],
      ] as const)
        await credentials.insert(row(id, { parent, kind }));
      const first = await credentials.list({ parent, kinds: ["api-key"], limit: 1 });
      assert.deepEqual([idsOf(first.rows), first.last?.[1]], [["l2"], "l2"]);
      const second = await credentials.list({ parent, kinds: ["api-key"], after: "l2", limit: 1 });
      assert.deepEqual([idsOf(second.rows), second.last], [["l3"], undefined]);
      assert.deepEqual(idsOf((await credentials.list({ parent, kinds: [], limit: 9 })).rows), ["l1", "l2", "l3"]);
    });

    it("remember their last use, and skip those that are gone", async () => {
      const { credentials } = use();
      await credentials.insert(row("used"));
      await credentials.touch(
        new Map([
          ["used", 7_000],
          ["gone", 7_000],
        ]),
      );
      assert.equal((await credentials.get("used"))?.lastUsedTime, 7_000);
      assert.equal(await credentials.get("gone"), undefined);
    });

    it("change the generation when one is stored or removed, before that is answered, and not when one is used", async () => {
      const { credentials } = use();
      const seen = [credentials.generation()];
      const note = () => seen.push(credentials.generation());
      await credentials.insert(row("counted"));
      note();
      await credentials.touch(new Map([["counted", 1]]));
      assert.equal(credentials.generation(), seen.at(-1));
      assert.equal(await credentials.remove("counted"), true);
      note();
      assert.equal(await credentials.remove("counted"), false);
      assert.equal(new Set(seen).size, 3);
    });

    it("are removed once they expired", async () => {
      const { credentials } = use();
      for (const [id, expireTime] of [
        ["past", 10],
        ["future", 1e15],
      ] as const)
        await credentials.insert(row(id, { expireTime }));
      assert.equal(await credentials.removeExpired(1_000), 1);
      assert.deepEqual([await credentials.get("past"), (await credentials.get("future"))?.id], [undefined, "future"]);
    });
  });
}
