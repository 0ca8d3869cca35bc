import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { TaskPushNotificationConfigSchema } from "@frontdesk/protos/a2a/a2a";
import { createLogger, createSealer } from "#base";
import { openStorage } from "#storage";
import { fromRow, resealConfigs, toRow } from "./push-row.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

it("push configs of tasks are sealed with the newest key, and those that no key opens are told (DB-19)", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-reseal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const opened = await openStorage({ dataDir: folder, clock: { now: () => 0 }, logger: createLogger("silent") });
  const { tasks: store, close } = opened;
  t.after(close);
  const config = create(TaskPushNotificationConfigSchema, { url: "https://hooks.example/", token: "t" });
  for (let at = 0; at < 120; at += 1) {
    const place = { task: `task-${at}`, id: "c", createTime: 0 };
    await store.putConfig(toRow({ config, version: "1.0" }, place, createSealer([OLD])));
  }
  const strange = await resealConfigs({ store, sealer: createSealer([NEW]) });
  assert.deepEqual([strange.resealed, strange.unreadable.length], [0, 120]);
  const sealer = createSealer([NEW, OLD]);
  assert.deepEqual(await resealConfigs({ store, sealer }), { resealed: 120, unreadable: [] });
  assert.deepEqual(await resealConfigs({ store, sealer }), { resealed: 0, unreadable: [] });
  const [row] = await store.configs("task-7");
  assert.equal(row && fromRow(row, createSealer([NEW])).config.token, "t");
});
