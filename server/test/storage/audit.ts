import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import type { AuditQuery, AuditRow, Storage } from "#storage";

const APP = "projects/p/locations/us/apps/shop";

function row(time: number, more: Partial<AuditRow> = {}): AuditRow {
  const method = "google.cloud.ces.v1beta.AgentService.UpdateApp";
  return {
    id: 0,
    time,
    principal: "user:ann@example.com",
    method,
    resource: APP,
    body: "{}",
    entry: randomUUID(),
    ...more,
  };
}

/** What every dialect promises of the audit log. */
export function auditContract(use: () => Storage): void {
  describe("the audit log", () => {
    const timesOf = async (query: Partial<AuditQuery>) =>
      (await use().audit.list({ limit: 100, ...query })).map(({ time }) => time);

    it("is read by time, caller, method and resource, the newest first", async () => {
      await use().audit.append([
        row(1),
        row(2, { principal: "user:ben@example.com" }),
        row(3, { method: "google.cloud.ces.v1beta.AgentService.DeleteApp" }),
        row(4, { resource: `${APP}/agents/desk` }),
        row(5, { resource: `${APP}-2` }),
      ]);
      assert.deepEqual(await timesOf({}), [5, 4, 3, 2, 1]);
      assert.deepEqual(await timesOf({ since: 2, until: 4 }), [3, 2]);
      assert.deepEqual(await timesOf({ principal: "user:ben@example.com" }), [2]);
      assert.deepEqual(await timesOf({ method: "DeleteApp" }), [3]);
      assert.deepEqual(await timesOf({ method: "%App" }), []);
      assert.deepEqual(await timesOf({ resource: APP }), [4, 3, 2, 1]);
    });

    it("has an entry once that is appended again because an answer was lost (IAM-24)", async () => {
      const [first, second] = [row(6, { resource: "again" }), row(7, { resource: "again" })];
      await use().audit.append([first]);
      await use().audit.append([first, second]);
      assert.deepEqual(await timesOf({ resource: "again" }), [7, 6]);
    });

    it("is read page by page", async () => {
      const [newest] = await use().audit.list({ limit: 1 });
      assert.deepEqual(await timesOf({ before: newest?.id ?? 0, limit: 2 }), [6, 5]);
    });

    it("loses rows by their age only", async () => {
      assert.equal(await use().audit.removeBefore(3), 2);
      assert.deepEqual(await timesOf({}), [7, 6, 5, 4, 3]);
    });
  });
}
