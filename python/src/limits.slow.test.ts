import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

const SHORT = { limits: { cpuMs: 200, wallMs: 10_000 } };
const CPU = { kind: "timeout", message: "the code used its 200 ms of CPU time" };
const body = (statements: string) => `def f():\n${statements.replace(/^/gm, "    ")}\n`;

describe("a run is ended", () => {
  const cases: readonly [claim: string, code: string, outcome: object][] = [
    ["in an endless loop", body("while True:\n    pass"), CPU],
    [
      "in a loop that catches everything",
      body("while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"),
      CPU,
    ],
    ["in a loop inside C", body("return sum(range(10**13))"), CPU],
    ["in big numbers", body("x = 7\nwhile True:\n    x = x * x"), CPU],
    ["in a regular expression that backtracks", body(`import re\nreturn re.match(r"(a+)+$", "a" * 64 + "b")`), CPU],
    ["while it loads", "while True:\n    pass\ndef f():\n    pass\n", CPU],
  ];
  for (const [claim, code, outcome] of cases) {
    it(claim, async () => assert.partialDeepStrictEqual(await sandbox.run(code, SHORT), outcome));
  }

  it("when its memory is used up", async () => {
    const greedy = await sandbox.run(body("x = []\nwhile True:\n    x.append('a' * 1_000_000)"));
    assert.equal(greedy.kind, "out-of-memory");
    const atOnce = await sandbox.run(body("return len(b'a' * (1 << 30))"));
    assert.equal(atOnce.kind, "out-of-memory");
    assert.match(atOnce.message, /^the code used all of its memory \(.*, line 2\)$/);
    assert.equal(
      await sandbox.value(body("try:\n    b'a' * (1 << 30)\nexcept MemoryError:\n    return 'caught'")),
      "caught",
    );
  });

  it("when it sleeps beyond its wall time, which costs no CPU time", async () => {
    assert.equal(await sandbox.value(body("import time\ntime.sleep(0.3)\nreturn 1"), SHORT), 1);
    const limits = { cpuMs: 200, wallMs: 500 };
    assert.partialDeepStrictEqual(await sandbox.run(body("import time\ntime.sleep(1e6)"), { limits }), {
      kind: "timeout",
      message: "the code did not end within 500 ms",
    });
  });

  it("in the middle of something, and what it printed until then is told", async () => {
    const output = [
      { stream: "stdout", text: "one" },
      { stream: "stderr", text: "two" },
    ];
    const said = "import sys\nprint('one')\nprint('two', file=sys.stderr)\n";
    assert.partialDeepStrictEqual(await sandbox.run(body(`${said}sum(range(10**13))`), SHORT), { ...CPU, output });
    const limits = { cpuMs: 200, wallMs: 2_000 };
    const asleep = await sandbox.run(body(`${said}import time\ntime.sleep(60)`), { limits });
    assert.partialDeepStrictEqual(asleep, { kind: "timeout", output });
  });

  it("when its caller gives up, also before it began", async () => {
    const abort = new AbortController();
    const running = sandbox.run(body("while True:\n    pass"), { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    assert.equal((await running).kind, "cancelled");
    assert.equal((await sandbox.run(body("pass"), { signal: abort.signal })).kind, "cancelled");
  });
});

describe("deep recursion", () => {
  it("is a RecursionError", async () => {
    assert.partialDeepStrictEqual(await sandbox.run("def f():\n    return f()\n"), {
      kind: "raised",
      type: "RecursionError",
    });
    const nested = body(`import json\nreturn json.loads("[" * 100_000)`);
    assert.partialDeepStrictEqual(await sandbox.run(nested), { kind: "raised", type: "RecursionError" });
  });

  it("ends the run when the code lifted the limit, and the next run is well", async () => {
    const outcome = await sandbox.run("import sys\nsys.setrecursionlimit(10**8)\ndef f():\n    return f()\n");
    assert.notEqual(outcome.kind, "returned");
    assert.equal(await sandbox.value(body("return 1")), 1);
  });
});

describe("sizes", () => {
  it("of printed text end at 64 KiB, and the output says so", async () => {
    const { output } = await sandbox.run(body(`for n in range(5000):\n    print("x" * 99)`));
    assert.deepEqual(output.at(-1), { stream: "stderr", text: "output beyond 65536 bytes was dropped" });
    assert.ok(output.reduce((sum, line) => sum + line.text.length, 0) < 70_000);
  });

  it("of a result end at 1 MiB", async () => {
    assert.partialDeepStrictEqual(await sandbox.run(body(`return "x" * (1 << 20)`)), {
      kind: "raised",
      type: "ValueError",
      message: "the result has 1048578 bytes as JSON; the limit is 1048576",
    });
  });

  it("of a call end at 4 MiB", async () => {
    const outcome = await sandbox.run(body("pass"), { keyword: { big: "x".repeat(4 << 20) } });
    assert.equal(outcome.kind, "crashed");
  });

  it("of a question to the host end at 1 MiB", async () => {
    const code = body(`host.echo(data="x" * (1 << 21))`);
    assert.partialDeepStrictEqual(await sandbox.run(code), {
      kind: "raised",
      type: "HostRefusal",
      message: "the call has 2097207 bytes with its arguments; the limit is 1048576",
    });
  });
});
