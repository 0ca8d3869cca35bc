import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { systemClock } from "#base";
import { createWarehouse } from "#warehouse";
import { createDataSample, withSample } from "./data-sample.ts";

describe("a warehouse whose sample is not written yet", () => {
  const folder = mkdtempSync(join(tmpdir(), "data-sample-"));
  after(() => rmSync(folder, { recursive: true }));

  it("tells the tables of an uploaded file, once the sample is there", async (t) => {
    const sample = createDataSample({ dataDir: folder, example: true }, systemClock);
    const config = {
      sources: [],
      uploadDir: join(folder, "uploads"),
      memory: "256MB",
      spillDir: join(folder, "spill"),
    };
    const warehouse = withSample(createWarehouse, config, sample);
    t.after(() => warehouse.close());
    const { uploads } = warehouse;
    assert.ok(uploads);
    const id = "upload_00112233445566aa";
    uploads.write(id, "orders.csv", Buffer.from("id,total\n1,20\n"), {});
    assert.deepEqual(await uploads.tables("local", id), [["local", id, "orders"]]);
    await uploads.remove(id);
    assert.equal(uploads.has(id), false);
  });
});
