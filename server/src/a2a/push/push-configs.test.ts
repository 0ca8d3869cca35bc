import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  GetTaskPushNotificationConfigRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  TaskPushNotificationConfigSchema,
} from "@frontdesk/protos/a2a/a2a";
import { createEgress, createLogger, createSealer, systemIds } from "#base";
import { openStorage, type TaskRow } from "#storage";
import type { A2aCall } from "../contract.ts";
import { createPushConfigs } from "./push-configs.ts";

const CALL = { version: "1.0" } as A2aCall;

async function openConfigs(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-push-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { now: () => 0 };
  const { tasks: store, close } = await openStorage({ dataDir: folder, clock, logger: createLogger("silent") });
  t.after(close);
  const sealer = createSealer([Buffer.alloc(32, 1)]);
  const egress = createEgress({ allowedPrivateHosts: [] });
  t.after(() => egress.close());
  const ownRow = async () => ({}) as TaskRow;
  return createPushConfigs({ store, sealer, ids: systemIds, clock, egress, ownRow });
}

const configOf = (id: string, fields: object = {}) =>
  create(TaskPushNotificationConfigSchema, { taskId: "task-1", id, url: "https://hooks.example/", ...fields });

describe("push configs of a task", () => {
  it("are at most 20 (A2A-15), of which one may be written anew", async (t) => {
    const configs = await openConfigs(t);
    for (let at = 1; at <= 20; at++) await configs.create(configOf(`config-${at}`), CALL);
    await assert.rejects(configs.create(configOf("config-21"), CALL), { message: /has 20 push configs.*Delete one/ });
    await configs.create(configOf("config-20", { url: "https://elsewhere.example/" }), CALL);
    const list = await configs.list(create(ListTaskPushNotificationConfigsRequestSchema, { taskId: "task-1" }), CALL);
    assert.equal(list.configs.length, 20);
    assert.equal(list.configs.find(({ id }) => id === "config-20")?.url, "https://elsewhere.example/");
  });

  it("show no credentials", async (t) => {
    const configs = await openConfigs(t);
    const authentication = { scheme: "Bearer", credentials: "secret" };
    const made = await configs.create(configOf("c", { authentication }), CALL);
    const request = create(GetTaskPushNotificationConfigRequestSchema, { taskId: "task-1", id: "c" });
    for (const shown of [made, await configs.get(request, CALL)])
      assert.deepEqual([shown.authentication?.scheme, shown.authentication?.credentials], ["Bearer", ""]);
  });
});
