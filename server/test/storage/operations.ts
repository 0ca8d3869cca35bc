import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Storage } from "#storage";
import { bytes, LOCATION, operation } from "./rows.ts";

/** The contract of operations. */
export function operationContract(use: () => Storage): void {
  describe("operations", () => {
    const store = () => use().operations;

    it("returns what was put, and replaces it", async () => {
      const row = operation("a", { metadata: bytes(20) });
      await store().put(row);
      assert.deepEqual(await store().get(row.name), row);
      const done = { ...row, done: true, response: bytes(10) };
      await store().put(done);
      assert.deepEqual(await store().get(row.name), done);
    });

    it("changes what is there, and makes nothing of what was deleted", async () => {
      const row = operation("changed");
      await store().put(row);
      const done = { ...row, done: true, response: bytes(10) };
      assert.equal(await store().change(done), true);
      assert.deepEqual(await store().get(row.name), done);
      await store().remove(row.name);
      assert.deepEqual([await store().change(row), await store().get(row.name)], [false, undefined]);
    });

    it("lists those of a parent by name, page by page", async () => {
      const parent = `${LOCATION}-listed`;
      const rows = ["c", "a", "b"].map((id) => ({ ...operation(id), parent, name: `${parent}/operations/${id}` }));
      for (const row of rows) await store().put(row);
      const first = await store().list(parent, 2);
      assert.deepEqual([first.rows.map((row) => row.name.at(-1)), first.last?.[1]], [["a", "b"], rows[2]?.name]);
      assert.deepEqual(await store().list(parent, 2, first.last?.[1]), { rows: [rows[0]] });
    });

    it("finds the unfinished, oldest first", async () => {
      const rows = [
        operation("u1", { createTime: 9 }),
        operation("u2", { createTime: 4 }),
        operation("u3", { done: true }),
      ];
      for (const row of rows) await store().put(row);
      const unfinished = (await store().unfinished()).filter((row) => rows.some((one) => one.name === row.name));
      assert.deepEqual(unfinished, [rows[1], rows[0]]);
    });

    it("removes those that are done and began before a time, the oldest first, and no dead letter", async () => {
      const rows = [
        operation("r1", { createTime: -5, done: true }),
        operation("r2", { createTime: -4, done: true }),
        operation("r3", { createTime: -3, done: true, error: bytes(5), isDead: true }),
        operation("r4", { createTime: -3 }),
        operation("r5", { createTime: -1, done: true }),
      ];
      for (const row of rows) await store().put(row);
      const left = async () => {
        const found = await Promise.all(rows.map(({ name }) => store().get(name)));
        return found.map((row) => row?.name.split("/").at(-1));
      };
      assert.equal(await store().removeDone(-1, 1), 1);
      assert.deepEqual(await left(), [undefined, "r2", "r3", "r4", "r5"]);
      assert.deepEqual([await store().removeDone(-1, 9), await store().removeDone(-1, 9)], [1, 0]);
      assert.deepEqual(await left(), [undefined, undefined, "r3", "r4", "r5"]);
    });

    it("keeps attempts, and lists by state, the newest first", async () => {
      const parent = `${LOCATION}-states`;
      const error = bytes(5);
      const rows = [
        operation("running", { createTime: 1 }),
        operation("waiting", { createTime: 2, attempts: 2, dueTime: 9.5, lastError: error }),
        operation("succeeded", { createTime: 3, done: true }),
        operation("failed", { createTime: 4, done: true, error }),
        operation("dead", { createTime: 5, done: true, error, attempts: 5, isDead: true, lastError: error }),
      ].map((row) => ({ ...row, parent, name: row.name.replace(LOCATION, parent) }));
      for (const row of rows) await store().put(row);
      const first = await store().newest({ parent, limit: 3 });
      const second = await store().newest({ parent, limit: 3, ...(first.last && { after: first.last }) });
      assert.deepEqual([...first.rows, ...second.rows], rows.toReversed());
      for (const state of ["running", "waiting", "succeeded", "failed", "dead"] as const) {
        const { rows: listed } = await store().newest({ parent, state, limit: 5 });
        assert.deepEqual(
          listed.map(({ name }) => name.split("/").at(-1)),
          [state],
        );
      }
    });

    it("reopens a dead letter once", async () => {
      const before = await store().countDead();
      const dead = operation("letter", { done: true, isDead: true, error: bytes(4) });
      await store().put(dead);
      assert.equal(await store().countDead(), before + 1);
      const open = operation("letter");
      assert.deepEqual([await store().reopen(open), await store().reopen(open)], [true, false]);
      assert.deepEqual(await store().get(dead.name), open);
      assert.equal(await store().countDead(), before);
    });

    it("removes one and returns whether it existed", async () => {
      const row = operation("gone");
      await store().put(row);
      assert.deepEqual(
        [await store().remove(row.name), await store().remove(row.name), await store().get(row.name)],
        [true, false, undefined],
      );
    });
  });
}
