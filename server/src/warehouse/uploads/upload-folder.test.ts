import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { removeAbandoned, writeUpload } from "./upload-folder.ts";

const DATASET = `upload_${"a".repeat(32)}`;
const HOUR = 3_600_000;

describe("the folder of uploads (DB-61)", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "frontdesk-uploads-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("has nothing of a file that could not be written, and still the one before", () => {
    writeUpload(folder, DATASET, "rows.csv", Buffer.from("a\n1\n"));
    assert.throws(() => writeUpload(folder, DATASET, "x".repeat(300), Buffer.from("a\n2\n")), /ENAMETOOLONG/);
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), [DATASET, join(DATASET, "rows.csv")]);
  });

  it("loses with a start what a server left that was killed, and not what another one writes now", () => {
    const partial = join(folder, `${DATASET}.partial`);
    mkdirSync(partial);
    mkdirSync(join(folder, "somebody.partial"));
    removeAbandoned(folder);
    assert.ok(existsSync(partial));
    removeAbandoned(folder, Date.now() + 2 * HOUR);
    assert.deepEqual(readdirSync(folder), ["somebody.partial"]);
  });
});
