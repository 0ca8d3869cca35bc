import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TaskRow } from "#storage";
import type { A2aCall, A2aDeps } from "../contract.ts";
import { findRow } from "./own-task.ts";

const ROW = { id: "task-1", tenant: "projects/p/locations/us/apps/shop", owner: "user:ana@example.com" } as TaskRow;

function find(tenant: string, owner: string): Promise<TaskRow> {
  const store = { get: async (id: string) => (id === ROW.id ? ROW : undefined) } as A2aDeps["store"];
  return findRow("task-1", { agent: { tenant }, owner } as A2aCall, { store });
}

describe("a task (A2A-4)", () => {
  it("is found by its caller at its agent", async () => {
    assert.equal(await find(ROW.tenant, ROW.owner), ROW);
  });

  it("is found neither by another caller nor at another agent", async () => {
    const missing = { message: /Task 'task-1' was not found/ };
    await assert.rejects(find(ROW.tenant, "user:ben@example.com"), missing);
    await assert.rejects(find("projects/p/locations/us/apps/bank", ROW.owner), missing);
  });
});
