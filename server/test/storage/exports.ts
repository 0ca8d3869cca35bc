import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExportRow, Storage } from "#storage";
import { head, LOCATION, turn } from "./rows.ts";

const row = (destination: string, body: string, createTime = 1): ExportRow => ({ destination, body, createTime });
const LIMIT = { rows: 100, bytes: 1_000 };

/** The contract of rows for other services. */
export function exportContract(use: () => Storage): void {
  describe("exports", () => {
    const store = () => use().exports;
    const append = (id: string, index: number, rows: readonly ExportRow[]) =>
      use().conversations.appendTurn(head("apps/exporting", id, index), turn(index), rows);
    const bodies = async (destination: string, limit = LIMIT) =>
      (await store().next(destination, limit)).map(({ body }) => body);

    it("are stored with their turn, read by destination in order, and gone when removed", async () => {
      await append("stored", 1, [row("a/one", "1", 9), row("b/two", "2")]);
      await append("stored", 2, [row("a/one", "3")]);
      assert.deepEqual(await store().destinations(), ["a/one", "b/two"]);
      assert.deepEqual(await bodies("a/one"), ["1", "3"]);
      assert.equal(await store().oldest(), 9);
      const waiting = [...(await store().next("a/one", LIMIT)), ...(await store().next("b/two", LIMIT))];
      await store().remove(waiting.map(({ id }) => id));
      assert.deepEqual([await store().destinations(), await store().oldest()], [[], undefined]);
    });

    it("are not stored when their turn is not", async () => {
      await append("conflict", 1, []);
      await assert.rejects(append("conflict", 1, [row("a/one", "lost")]), /cannot be stored/);
      assert.deepEqual(await store().destinations(), []);
    });

    it("go with their app, and no other's do", async () => {
      const ofApp = (app: string, body: string) =>
        use().conversations.appendTurn(head(app, "gone", 1), turn(1), [row("a/one", body)]);
      await ofApp("apps/exporting-gone", "gone");
      await ofApp("apps/exporting-gone2", "kept");
      await use().resources.write([{ kind: "delete-tree", prefix: `${LOCATION}/apps/exporting-gone/` }]);
      assert.deepEqual(await bodies("a/one"), ["kept"]);
      await store().remove((await store().next("a/one", LIMIT)).map(({ id }) => id));
    });

    it("are read as far as the limits of rows and bytes go, one at least", async () => {
      const wide = "é".repeat(400);
      await append("limits", 1, [row("a/one", wide), row("a/one", "x".repeat(201)), row("a/one", "y")]);
      assert.deepEqual(await bodies("a/one"), [wide]);
      assert.deepEqual(await bodies("a/one", { rows: 2, bytes: 10_000 }), [wide, "x".repeat(201)]);
      assert.deepEqual(await bodies("a/one", { rows: 2, bytes: 1 }), [wide]);
    });
  });
}
