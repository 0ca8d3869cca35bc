import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createLogger, systemClock, systemIds } from "#base";
import { createMirror, sweepCopies } from "#search";
import { openStorage } from "#storage";
import { createSharedToolFiles } from "./shared-tool-files.ts";

const APP = "projects/p/locations/l/apps/a";
const KEY = { app: APP, tool: "manuals" };
const FOREVER = new AbortController().signal;

async function scene(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-tool-files-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const logger = createLogger("silent");
  const storage = await openStorage({ dataDir: folder, clock: systemClock, logger });
  t.after(() => storage.close());
  const shared = createSharedToolFiles({ storage, clock: systemClock, ids: systemIds, logger });
  const makeApp = (createTime: number) => {
    const times = { createTime, updateTime: createTime, etag: "e", body: new Uint8Array() };
    const row = {
      name: APP,
      type: "ces.googleapis.com/App",
      parent: "projects/p/locations/l",
      displayName: "",
      ...times,
    };
    return storage.resources.write([{ kind: "put", row }]);
  };
  await makeApp(1);
  const filesIn = (path: string) =>
    readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  return { folder, storage, shared, makeApp, filesIn, blobs: () => filesIn("blobs").length };
}

describe("uploaded files of tools in the storage", () => {
  it("have one blob each, replaced or not, and none once they are removed", async (t) => {
    const { shared, blobs } = await scene(t);
    await shared.put(KEY, "a.md", Buffer.from("one"));
    await shared.put(KEY, "a.md", Buffer.from("two"));
    const [file] = await shared.list(KEY);
    assert.ok(file);
    assert.equal(Buffer.from((await shared.read(KEY, file)) ?? []).toString(), "two");
    assert.deepEqual([blobs(), await shared.remove(KEY, "a.md"), blobs()], [1, true, 0]);
    assert.deepEqual([await shared.list(KEY), await shared.remove(KEY, "a.md")], [[], false]);
  });

  it("are erased once their app is deleted, or made anew, and so are their copies", async (t) => {
    const { folder, storage, shared, makeApp, filesIn, blobs } = await scene(t);
    const files = join(folder, "files");
    const mirror = createMirror(files, shared);
    for (let at = 0; at < 120; at += 1)
      await shared.put({ app: APP, tool: `tool ${at % 2}` }, `${at}.md`, Buffer.from(`${at}`));
    await Promise.all([mirror({ app: APP, tool: "tool 0" }), mirror({ app: APP, tool: "tool 1" })]);
    assert.deepEqual([await shared.removeStray(FOREVER), blobs(), filesIn("files").length], [0, 120, 122]);
    await storage.resources.write([{ kind: "delete-tree", prefix: APP }]);
    await makeApp(2);
    await shared.put(KEY, "new.md", Buffer.from("new"));
    assert.deepEqual([await shared.removeStray(FOREVER), blobs()], [120, 1]);
    await sweepCopies(files, mirror);
    assert.deepEqual(
      filesIn("files").filter((name) => name.endsWith(".md")),
      [],
    );
  });

  it("that lost their content are left out of the copies, and are there again once they are uploaded again", async (t) => {
    const { folder, shared, filesIn } = await scene(t);
    const mirror = createMirror(join(folder, "files"), shared);
    await shared.put(KEY, "a.md", Buffer.from("one"));
    await shared.put(KEY, "b.md", Buffer.from("two"));
    for (const name of readdirSync(join(folder, "blobs")))
      if (name !== "incoming") rmSync(join(folder, "blobs", name), { recursive: true });
    await shared.put(KEY, "b.md", Buffer.from("two"));
    await mirror(KEY);
    assert.deepEqual(filesIn("files").toSorted(), [".uploaded.json", "b.md"]);
    await shared.put(KEY, "a.md", Buffer.from("one"));
    await Promise.all([mirror(KEY), mirror(KEY), mirror(KEY)]);
    assert.deepEqual(filesIn("files").toSorted(), [".uploaded.json", "a.md", "b.md"]);
  });
});
