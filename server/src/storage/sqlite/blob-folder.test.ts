import assert from "node:assert/strict";
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openBlobFolder } from "./blob-folder.ts";

describe("a folder of blobs", () => {
  it("waits for the disk without holding up other calls", async (t) => {
    const path = mkdtempSync(join(tmpdir(), "frontdesk-blobs-"));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const folder = await openBlobFolder(path);
    const held = t.mock.method(fs, "fsyncSync");
    syncBuiltinESMExports();
    t.after(() => {
      held.mock.restore();
      syncBuiltinESMExports();
    });
    await folder.put("name", Buffer.from("content"));
    assert.equal(held.mock.callCount(), 0);
    assert.equal(Buffer.from((await folder.get("name")) ?? []).toString(), "content");
  });
});
