import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import type { Storage } from "#storage";
import { StaleEtagError } from "#storage";
import { bytes, head, LOCATION, resource, turn } from "./rows.ts";

/** The contract of writes of resources and their conditions. */
export function resourceWrites(use: () => Storage): void {
  describe("writes of resources", () => {
    const store = () => use().resources;

    it("returns what was put with all fields", async () => {
      const row = resource("apps/whole", {
        displayName: "Ünï \u{1F600} 'quoted'",
        createTime: 1_754_000_000_123.25,
        body: bytes(300_000),
      });
      await store().write([{ kind: "put", row }]);
      assert.deepEqual(await store().get(row.name), row);
    });

    it("returns undefined for a name that was never put", async () => {
      assert.equal(await store().get(`${LOCATION}/apps/nowhere`), undefined);
    });

    it("stores bytes that are a view of a larger buffer", async () => {
      const row = resource("apps/view", { body: bytes(4096).subarray(100, 110) });
      await store().write([{ kind: "put", row }]);
      assert.deepEqual((await store().get(row.name))?.body, new Uint8Array(row.body));
    });

    it("reports a value that it cannot store as INTERNAL, and continues", async () => {
      const wrong = { ...resource("apps/defect"), displayName: undefined as unknown as string };
      const isInternal = (error: unknown) => error instanceof ConnectError && error.code === Code.Internal;
      await assert.rejects(store().write([{ kind: "put", row: wrong }]), isInternal);
      await store().write([]);
      await store().write([{ kind: "put", row: resource("apps/defect") }]);
    });

    it("gets many by name and leaves out missing ones", async () => {
      const rows = Array.from({ length: 1_203 }, (_, at) => resource(`apps/many/agents/${at}`));
      await store().write(rows.map((row) => ({ kind: "put", row })));
      const found = await store().getMany([...rows.map((row) => row.name), `${LOCATION}/apps/many/agents/none`]);
      assert.deepEqual([...found.keys()].sort(), rows.map((row) => row.name).sort());
      assert.deepEqual(found.get(rows[1202]?.name ?? ""), rows[1202]);
    });

    it("replaces a row when no etag is given", async () => {
      const row = resource("apps/replace");
      await store().write([{ kind: "put", row }]);
      const next = { ...row, displayName: "second", etag: "2" };
      await store().write([{ kind: "put", row: next }]);
      assert.deepEqual(await store().get(row.name), next);
    });

    it("replaces a row that exists, and makes none where it was deleted", async () => {
      const row = resource("apps/replace-only");
      await store().write([{ kind: "put", row }]);
      const next = { ...row, displayName: "second", etag: "2" };
      const gone = resource("apps/replace-only/agents/gone");
      await store().write([
        { kind: "replace", row: next },
        { kind: "replace", row: gone },
      ]);
      assert.deepEqual([await store().get(row.name), await store().get(gone.name)], [next, undefined]);
    });

    it("rejects a stale etag, names the row, and stores nothing of the write", async () => {
      const row = resource("apps/stale");
      const other = resource("apps/stale/agents/other");
      await store().write([{ kind: "put", row }]);
      await assert.rejects(
        store().write([
          { kind: "put", row: other },
          { kind: "put", row: { ...row, etag: "3" }, ifEtag: "2" },
        ]),
        (error) => error instanceof StaleEtagError && error.resource === row.name,
      );
      assert.deepEqual([await store().get(row.name), await store().get(other.name)], [row, undefined]);
    });

    it("creates only once when the row must not exist", async () => {
      const row = resource("apps/create");
      await store().write([{ kind: "put", row, ifEtag: "" }]);
      await assert.rejects(store().write([{ kind: "put", row: { ...row, etag: "2" }, ifEtag: "" }]), StaleEtagError);
      assert.deepEqual(await store().get(row.name), row);
    });

    it("stores the write of one of two writers with the same etag", async () => {
      const row = resource("apps/race");
      await store().write([{ kind: "put", row }]);
      const attempts = ["a", "b"].map((etag) =>
        store().write([{ kind: "put", row: { ...row, etag }, ifEtag: row.etag }]),
      );
      const outcomes = await Promise.allSettled(attempts);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    });

    it("deletes under the etag's condition", async () => {
      const row = resource("apps/delete");
      await store().write([{ kind: "put", row }]);
      await assert.rejects(store().write([{ kind: "delete", name: row.name, ifEtag: "other" }]), StaleEtagError);
      await assert.rejects(store().write([{ kind: "delete", name: row.name, ifEtag: "" }]), StaleEtagError);
      assert.deepEqual(await store().get(row.name), row);
      await store().write([{ kind: "delete", name: row.name, ifEtag: row.etag }]);
      assert.equal(await store().get(row.name), undefined);
      await store().write([{ kind: "delete", name: row.name }]);
    });

    it("deletes a tree with its conversations, and no neighbour", async () => {
      const mine = ["apps/tree", "apps/tree/agents/a", "apps/tree/agents/a/x/y"].map((path) => resource(path));
      const other = ["apps/tree2", "apps/tre", "apps/tree-x/agents/a"].map((path) => resource(path));
      await store().write([...mine, ...other].map((row) => ({ kind: "put", row })));
      await use().conversations.appendTurn(head("apps/tree", "c", 1), turn(1));
      await use().conversations.appendTurn(head("apps/tree2", "c", 1), turn(1));
      await store().write([{ kind: "delete-tree", prefix: `${LOCATION}/apps/tree` }]);
      const left = await store().getMany([...mine, ...other].map((row) => row.name));
      assert.deepEqual([...left.keys()].sort(), other.map((row) => row.name).sort());
      assert.equal(await use().conversations.getHead(`${LOCATION}/apps/tree/conversations/c`), undefined);
      assert.deepEqual(await use().conversations.getTurns(`${LOCATION}/apps/tree/conversations/c`), []);
      assert.equal((await use().conversations.getTurns(`${LOCATION}/apps/tree2/conversations/c`)).length, 1);
    });

    it("removes nothing of a tree when another of the writes is refused", async () => {
      const app = resource("apps/kept-tree");
      const name = `${LOCATION}/apps/kept-tree/conversations/c`;
      await store().write([{ kind: "put", row: app }]);
      await use().conversations.appendTurn(head("apps/kept-tree", "c", 1), turn(1));
      const tree = { kind: "delete-tree", prefix: `${app.name}/` } as const;
      for (const refused of [
        { kind: "delete", name: app.name, ifEtag: "other" },
        { kind: "put", row: app, ifEtag: "other" },
        { kind: "put", row: app, ifEtag: "" },
        { kind: "delete", name: `${app.name}/agents/none`, ifEtag: "other" },
      ] as const) {
        await assert.rejects(store().write([refused, tree]), StaleEtagError);
        assert.equal((await use().conversations.getTurns(name)).length, 1);
      }
      await store().write([{ kind: "delete", name: app.name, ifEtag: app.etag }, tree]);
      assert.deepEqual(await use().conversations.getTurns(name), []);
      assert.equal(await store().get(app.name), undefined);
    });

    it("counts generations of a row with the wanted rows directly below it", async () => {
      const app = `${LOCATION}/apps/generation`;
      const agent = resource("apps/generation/agents/a");
      const ofApp = () => store().generation(app, [agent.type]);
      assert.equal(ofApp(), 0);
      await store().write([{ kind: "put", row: agent }]);
      const afterPut = ofApp();
      assert.ok(afterPut > 0);
      assert.equal(store().generation(`${LOCATION}/apps/generation2`, [agent.type]), 0);
      for (const path of ["apps/generation2", "apps/generation/runs/r", "apps/generation/agents/a/results/r"])
        await store().write([{ kind: "put", row: resource(path) }]);
      assert.equal(ofApp(), afterPut);
      await store().write([{ kind: "delete", name: agent.name }]);
      assert.ok(ofApp() > afterPut);
      const afterDelete = ofApp();
      await store().write([{ kind: "delete-tree", prefix: app }]);
      assert.ok(ofApp() > afterDelete);
      assert.ok(store().generation(agent.name) > afterDelete);
    });

    it("tells which of these rows were written or deleted after a generation", async () => {
      const app = `${LOCATION}/apps/changed`;
      const [first, second, run] = ["agents/a", "agents/b", "runs/r"].map((path) => resource(`apps/changed/${path}`));
      assert.ok(first && second && run);
      const changedSince = (generation: number) => store().changedSince(generation, app, [first.type]);
      await store().write([first, second].map((row) => ({ kind: "put", row })));
      const afterPuts = store().generation(app, [first.type]);
      assert.deepEqual(changedSince(afterPuts), []);
      await store().write([
        { kind: "put", row: resource("apps/changed") },
        { kind: "put", row: run },
        { kind: "delete", name: second.name },
      ]);
      assert.deepEqual(changedSince(afterPuts), [app, second.name]);
      await store().write([{ kind: "delete-tree", prefix: `${first.name}/` }]);
      assert.deepEqual(changedSince(afterPuts), [app, first.name, second.name]);
      await store().write([{ kind: "delete-tree", prefix: `${app}/` }]);
      assert.equal(changedSince(afterPuts), undefined);
    });
  });
}
