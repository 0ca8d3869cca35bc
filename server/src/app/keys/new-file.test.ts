import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createKeyFiles } from "./key-files.ts";
import { openSealer } from "./sealing-keys.ts";

/** A file system of its own, which is soon full. */
const disk = mkdtempSync(join(tmpdir(), "frontdesk-keys-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status === 0;
after(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe("the keys of a data folder on a full disk (DB-62)", {
  skip: mounted ? false : "this user may not mount",
}, () => {
  it("are made by the next start that finds space, and nobody gets an empty one", async () => {
    const filler = join(disk, "filler");
    assert.throws(() => {
      for (;;) appendFileSync(filler, Buffer.alloc(1_024));
    }, /ENOSPC/);
    const keys = createKeyFiles(disk);
    await assert.rejects(
      keys.getOrMake("chat-token", () => Buffer.alloc(72, 1)),
      /ENOSPC/,
    );
    assert.throws(() => openSealer({ from: "data-folder" }, disk), /ENOSPC/);
    assert.deepEqual(readdirSync(disk), ["filler"]);
    rmSync(filler);
    assert.equal((await keys.getOrMake("chat-token", () => Buffer.alloc(72, 1))).length, 72);
    openSealer({ from: "data-folder" }, disk);
    assert.equal(Buffer.from(readFileSync(join(disk, "sealing.key"), "utf8"), "base64").length, 32);
    assert.deepEqual([...(await keys.getOrMake("chat-token", () => Buffer.alloc(72, 2)))].slice(0, 2), [1, 1]);
  });
});
