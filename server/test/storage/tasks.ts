import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PushConfigRow, Storage, TaskQuery, TaskRow } from "#storage";
import { allPages, bytes, head, LOCATION, turn } from "./rows.ts";

function task(id: string, fields: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    owner: "",
    tenant: `${LOCATION}/apps/a`,
    contextId: "context",
    conversation: `${LOCATION}/apps/a/conversations/${id}`,
    state: 2,
    finished: false,
    turn: 1,
    createTime: 1_000,
    updateTime: 2_000,
    expireTime: undefined,
    version: 1,
    body: bytes(12),
    ...fields,
  };
}

function config(of: string, id: string, fields: Partial<PushConfigRow> = {}): PushConfigRow {
  return { task: of, id, createTime: 1, body: bytes(9), ...fields };
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** What every dialect promises of tasks. */
export function taskContract(use: () => Storage): void {
  describe("tasks", () => {
    it("are read as they were stored", async () => {
      const { tasks } = use();
      const stored = task("read", { expireTime: 9_000, owner: "user:ana@example.com" });
      await tasks.create(stored);
      assert.deepEqual(await tasks.get("read"), stored);
      assert.equal(await tasks.get("none"), undefined);
    });

    it("are replaced only by the version that follows", async () => {
      const { tasks } = use();
      await tasks.create(task("versions"));
      const next = task("versions", { version: 2, state: 3 });
      assert.equal(await tasks.replace(next), true);
      assert.equal(await tasks.replace(next), false);
      assert.equal(await tasks.replace(task("none", { version: 2 })), false);
      assert.deepEqual(await tasks.get("versions"), next);
    });

    it("are listed by whose they are and what is asked for, those that changed last first", async () => {
      const { tasks } = use();
      const tenant = `${LOCATION}/apps/listed`;
      const rows = [
        task("l1", { tenant, updateTime: 10, contextId: "x" }),
        task("l2", { tenant, updateTime: 30, state: 3 }),
        task("l3", { tenant, updateTime: 20, contextId: "x" }),
        task("l4", { tenant, updateTime: 20 }),
        task("l5", { tenant, owner: "user:ana@example.com" }),
      ];
      for (const row of rows) await tasks.create(row);
      const base = { tenant, owner: "", limit: 2 };
      const list = (query: Partial<TaskQuery>) =>
        allPages(async (after) => tasks.list({ ...base, ...query, after: after as TaskQuery["after"] }));
      assert.deepEqual(idsOf(await list({})), ["l2", "l4", "l3", "l1"]);
      assert.deepEqual(idsOf(await list({ contextId: "x" })), ["l3", "l1"]);
      assert.deepEqual(idsOf(await list({ state: 3 })), ["l2"]);
      assert.deepEqual(idsOf(await list({ updatedFrom: 20 })), ["l2", "l4", "l3"]);
      assert.deepEqual(idsOf(await list({ owner: "user:ana@example.com" })), ["l5"]);
      assert.equal((await tasks.list({ ...base, contextId: "x", limit: 1 })).total, 2);
    });

    it("that are not finished are found again", async () => {
      const { tasks } = use();
      await tasks.create(task("open"));
      await tasks.create(task("closed", { finished: true }));
      const found = idsOf(await tasks.unfinished());
      assert.deepEqual([found.includes("open"), found.includes("closed")], [true, false]);
    });

    it("go with their conversations, and their configs with them", async () => {
      const { tasks, conversations } = use();
      const stored = head("apps/a", "kept", 1);
      await conversations.appendTurn(stored, turn(1));
      await tasks.create(task("kept-1", { conversation: stored.name }), config("kept-1", "c"));
      await conversations.remove([stored.name]);
      assert.equal(await tasks.get("kept-1"), undefined);
      assert.deepEqual(await tasks.configs("kept-1"), []);
    });

    it("that expired go without a conversation only", async () => {
      const { tasks, conversations } = use();
      const stored = head("apps/a", "expired", 1);
      await conversations.appendTurn(stored, turn(1));
      await tasks.create(task("with", { conversation: stored.name, expireTime: 10 }));
      await tasks.create(task("without", { expireTime: 10 }));
      await tasks.create(task("later", { expireTime: 1e15 }));
      await tasks.create(task("never"));
      await tasks.removeStray(1_000);
      const left = await Promise.all(["with", "without", "later", "never"].map((id) => tasks.get(id)));
      assert.deepEqual(
        left.map((row) => row?.id),
        ["with", undefined, "later", "never"],
      );
    });
  });

  describe("configs of tasks", () => {
    it("are replaced by their id, and listed the oldest first", async () => {
      const { tasks } = use();
      await tasks.create(task("with-configs"), config("with-configs", "b", { createTime: 1 }));
      await tasks.putConfig(config("with-configs", "a", { createTime: 2 }));
      await tasks.putConfig(config("with-configs", "a", { createTime: 2, body: bytes(3) }));
      const found = await tasks.configs("with-configs");
      assert.deepEqual(
        found.map(({ id, body }) => [id, body.length]),
        [
          ["b", 9],
          ["a", 3],
        ],
      );
      await tasks.removeConfig("with-configs", "b");
      await tasks.removeConfig("with-configs", "b");
      assert.deepEqual(idsOf(await tasks.configs("with-configs")), ["a"]);
    });

    it("are all read in pages, and rewritten where they are as they were read", async () => {
      const { tasks } = use();
      for (const id of ["pages-1", "pages-2"]) {
        await tasks.create(task(id), config(id, "b"));
        await tasks.putConfig(config(id, "a"));
      }
      const first = await tasks.allConfigs({ task: "pages-", id: "" }, 3);
      const rest = await tasks.allConfigs(first.at(-1), 1);
      const places = [...first, ...rest].map((row) => `${row.task} ${row.id}`);
      assert.deepEqual(places, ["pages-1 a", "pages-1 b", "pages-2 a", "pages-2 b"]);
      await tasks.rewriteConfig(config("pages-1", "a", { body: bytes(3) }), bytes(9));
      await tasks.rewriteConfig(config("pages-1", "b", { body: bytes(3) }), bytes(8));
      const sizes = (await tasks.configs("pages-1")).map(({ id, body }) => [id, body.length]);
      assert.deepEqual(sizes, [
        ["a", 3],
        ["b", 9],
      ]);
    });

    it("are due after a change of their task, until that is settled", async () => {
      const { tasks } = use();
      await tasks.create(task("told"), config("told", "c"));
      await tasks.create(task("silent"), config("silent", "c"));
      assert.equal(await tasks.nextDue(), undefined);
      await tasks.replace(task("told", { version: 2 }), 500);
      assert.deepEqual([await tasks.due(499, 9), await tasks.nextDue()], [[], 500]);
      const [first] = await tasks.due(500, 9);
      assert.deepEqual([first?.task, first?.attempts], ["told", 0]);
      await tasks.settle(first as never, 800);
      const [second] = await tasks.due(800, 9);
      assert.equal(second?.attempts, 1);
      // A change that comes while the config is told stays due.
      await tasks.replace(task("told", { version: 3 }), 900);
      await tasks.settle(second as never, undefined);
      const [third] = await tasks.due(900, 9);
      assert.equal(third?.attempts, 0);
      await tasks.settle(third as never, undefined);
      assert.equal(await tasks.nextDue(), undefined);
    });

    it("tell where their tasks are, those that there are (A2A-30)", async () => {
      const { tasks } = use();
      await tasks.create(task("here"));
      await tasks.replace(task("here", { version: 2 }));
      const heads = await tasks.heads(["here", "nowhere"]);
      assert.deepEqual(
        heads.map(({ id, version, state }) => [id, version, state]),
        [["here", 2, task("here").state]],
      );
      assert.deepEqual(await tasks.heads([]), []);
      await tasks.remove("here");
    });

    it("are put off by one of those that see them due (A2A-28)", async () => {
      const { tasks } = use();
      await tasks.create(task("shared"), config("shared", "c"));
      await tasks.replace(task("shared", { version: 2 }), 500);
      const [due] = await tasks.due(500, 9);
      const taken = await Promise.all([tasks.putOff(due as never, 700), tasks.putOff(due as never, 710)]);
      assert.deepEqual(taken.toSorted(), [false, true]);
      assert.deepEqual(await tasks.due(699, 9), []);
      await tasks.replace(task("shared", { version: 3 }), 600);
      assert.equal(await tasks.putOff({ ...due, dueTime: 700 } as never, 900), false);
      await tasks.remove("shared");
    });
  });
}
