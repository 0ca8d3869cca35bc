import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WorkLines } from "./work-lines.ts";

/** Work that ends when the test says so, and notes when it began. */
function controlled(lines: WorkLines, begun: string[]) {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const start = (tenant: string, name: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return lines.run(tenant, async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  return {
    start,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

describe("WorkLines", () => {
  it("begins some work of each tenant, and the rest in order as that ends", async () => {
    const begun: string[] = [];
    const { start, end } = controlled(new WorkLines(2), begun);
    const all = ["a1", "a2", "a3", "a4"].map((name) => start("a", name));
    const other = start("b", "b1");
    await Promise.resolve();
    assert.deepEqual(begun, ["a1", "a2", "b1"]);
    end("a2");
    assert.equal(await all[1], "a2");
    assert.deepEqual(begun.slice(3), ["a3"]);
    for (const name of ["a1", "a3", "a4", "b1"]) end(name);
    assert.deepEqual(await Promise.all([...all, other]), ["a1", "a2", "a3", "a4", "b1"]);
  });

  it("goes on after work that fails", async () => {
    const begun: string[] = [];
    const { start, end, fail } = controlled(new WorkLines(1), begun);
    const first = start("a", "a1");
    const second = start("a", "a2");
    fail("a1");
    await assert.rejects(first, /a1/);
    end("a2");
    assert.equal(await second, "a2");
    const third = start("a", "a3");
    end("a3");
    assert.equal(await third, "a3");
  });
});
