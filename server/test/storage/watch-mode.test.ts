import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";

const PROGRAM = join(import.meta.dirname, "__fixtures__", "open-and-close.ts");

describe("storage under node --watch", () => {
  it("ignores what its worker reports to the watcher", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-watch-"));
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, folder], {
        env: { ...process.env, WATCH_REPORT_DEPENDENCIES: "1" }, // what the watcher sets
      });
      assert.equal(stdout, "closed\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
