import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

describe("memory that Python frees in small pieces", () => {
  it("is there again for pieces of other sizes", async () => {
    const code = `def f():
    for size in 40, 100, 160, 220:
        pieces = [bytes(size) for _ in range(40_000_000 // (size + 24))]
        del pieces
    return "fits"
`;
    // Two million allocations on a machine that does much else.
    assert.equal(await sandbox.value(code, { limits: { cpuMs: 50_000, wallMs: 60_000 } }), "fits");
  });

  it("holds what was put there last, whatever its size and in whatever order it comes and goes", async () => {
    const code = `import random
def f():
    chance, kept = random.Random(7), {}
    for step in range(60_000):
        key = chance.randrange(3_000)
        content = kept.pop(key, None)
        if content is not None and content != bytes([key % 251]) * len(content):
            return f"step {step}: {key} was overwritten"
        if chance.random() < 0.7:
            kept[key] = bytes([key % 251]) * chance.randrange(1, 700)
    return len(kept) > 1000
`;
    assert.equal(await sandbox.value(code), true);
  });

  it("is counted by tracemalloc, which serves objects itself while it runs", async () => {
    const code = `import tracemalloc
def f():
    [object() for _ in range(5_000)]  # now the lists have pieces
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [object() for _ in range(1_000)]
    during, _ = tracemalloc.get_traced_memory()
    del kept
    after, _ = tracemalloc.get_traced_memory()
    return [during - before >= 8_000, after - before < 1_000]
`;
    assert.deepEqual(await sandbox.value(code), [true, true]);
  });
});
