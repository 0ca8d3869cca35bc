import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields } from "#base";
import type { Storage } from "#storage";
import { allPages, LOCATION, resource } from "./rows.ts";

/** The contract of lists of resources. */
export function resourceLists(use: () => Storage): void {
  describe("lists of resources", () => {
    const store = () => use().resources;

    it("lists the children of a parent by type, in either order, page by page", async () => {
      const times = [5, 3, 3, 9, 1];
      const rows = times.map((createTime, at) =>
        resource(`apps/pages/agents/${at}`, { createTime, updateTime: -createTime }),
      );
      await store().write(
        [...rows, resource("apps/pages/tools/t"), resource("apps/pages2/agents/x")].map((row) => ({
          kind: "put",
          row,
        })),
      );
      const ids = (orderBy: "name" | "create_time" | "update_time", descending: boolean) =>
        allPages((after) =>
          store().list({
            type: "Agent",
            parent: `${LOCATION}/apps/pages`,
            orderBy,
            descending,
            limit: 2,
            ...definedFields({ after }),
          }),
        ).then((all) => all.map((row) => row.name.at(-1)).join(""));
      assert.deepEqual(
        [
          await ids("name", false),
          await ids("name", true),
          await ids("create_time", false),
          await ids("create_time", true),
          await ids("update_time", false),
        ],
        ["01234", "43210", "41203", "30214", "30124"],
      );
    });

    it("matches `-` in a parent with any one segment", async () => {
      const rows = [
        "apps/wild-a/agents/1",
        "apps/wild-b/agents/2",
        "apps/wild-b/agents/2/parts/3",
        "apps/Wild*/agents/4",
      ].map((path) => resource(path));
      await store().write(rows.map((row) => ({ kind: "put", row: { ...row, type: "Wild" } })));
      const list = async (parent: string) => {
        const query = { type: "Wild", parent };
        const { rows } = await store().list({ ...query, orderBy: "name", descending: false, limit: 10 });
        const listed = rows.map(({ name }) => name);
        assert.deepEqual(await store().names(query), listed);
        return listed.map((name) => name.slice(LOCATION.length + 1));
      };
      assert.deepEqual(await list(`${LOCATION}/apps/-`), [
        "apps/Wild*/agents/4",
        "apps/wild-a/agents/1",
        "apps/wild-b/agents/2",
      ]);
      assert.deepEqual(await list("projects/-/locations/-/apps/wild-b"), ["apps/wild-b/agents/2"]);
      assert.deepEqual(await list("projects/-/locations/l/apps/wild*"), []);
      assert.deepEqual(await list("projects/-/locations/l/apps/Wild*"), ["apps/Wild*/agents/4"]);
    });

    it("lists those of a parent and a type that are named, however many names there are", async () => {
      const rows = [4, 2, 8, 6, 2].map((createTime, at) => resource(`apps/named/agents/${at}`, { createTime }));
      const others = [resource("apps/named/tools/0"), resource("apps/named2/agents/0")];
      await store().write([...rows, ...others].map((row) => ({ kind: "put", row })));
      const names = [rows[0], rows[1], rows[2], rows[4], ...others].map((row) => row?.name ?? "");
      const missing = Array.from({ length: 40_000 }, (_, at) => `${LOCATION}/apps/named/agents/missing-${at}`);
      const list = (among: readonly string[], parent: string, orderBy: "name" | "create_time", descending: boolean) =>
        allPages((after) =>
          store().list({
            ...{ type: "Agent", parent: `${LOCATION}/${parent}`, among, orderBy, descending, limit: 2 },
            ...definedFields({ after }),
          }),
        ).then((all) => all.map((row) => row.name.slice(`${LOCATION}/apps/`.length)));
      const paths = (...ids: readonly number[]) => ids.map((id) => `named/agents/${id}`);
      assert.deepEqual(await list([...names, ...missing], "apps/named", "create_time", true), paths(2, 0, 4, 1));
      assert.deepEqual(await list(names, "apps/named", "name", false), paths(0, 1, 2, 4));
      assert.deepEqual(await list(names, "apps/-", "name", false), [...paths(0, 1, 2, 4), "named2/agents/0"]);
      assert.deepEqual(await list([], "apps/named", "name", false), []);
    });

    it("returns all children of some types", async () => {
      const rows = ["agents/b", "agents/a", "tools/t", "examples/e"].map((path) => resource(`apps/children/${path}`));
      await store().write(rows.map((row) => ({ kind: "put", row })));
      const children = await store().children(`${LOCATION}/apps/children`, ["Tool", "Agent"]);
      assert.deepEqual(children, [rows[1], rows[0], rows[2]]);
      assert.deepEqual(await store().children(`${LOCATION}/apps/children`, []), []);
    });

    for (const tools of [2, 450]) {
      it(`returns a resource with its children for a snapshot: ${tools} of them`, async () => {
        const app = resource(`apps/family-${tools}`);
        const children = Array.from({ length: tools }, (_, at) => resource(`apps/family-${tools}/tools/${1_000 + at}`));
        const others = [resource(`apps/family-${tools}/agents/a`), resource(`apps/family-${tools}0`)];
        await store().write([app, ...children, ...others].map((row) => ({ kind: "put", row })));
        assert.deepEqual(await store().withChildren(app.name, ["Tool", "Guardrail"]), [app, ...children]);
      });
    }

    it("returns nothing for a snapshot of what does not exist", async () => {
      assert.deepEqual(await store().withChildren(`${LOCATION}/apps/none`, ["Tool"]), []);
    });
  });
}
