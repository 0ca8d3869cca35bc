import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";
import type { HostFunctions } from "./contract.ts";

const hostFunctions: HostFunctions = { echo: async (args) => args };
const sandbox = createTestSandbox({ maxGuests: 1, hostFunctions });
// Attempts that end a guest are followed by the next one at once.
const attacked = createTestSandbox();
after(() => Promise.all([sandbox[Symbol.asyncDispose](), attacked[Symbol.asyncDispose]()]));

/** The next run of another tenant: what it would notice of the one before. */
const PROBE = `
import builtins, sys, json, gc, random
def f(v):
    here = [name for name in sys.modules if "stash" in name]
    secrets = [o for o in gc.get_objects() if isinstance(o, dict) and "tenant_secret" in o and o is not globals()]
    return [len("four"), json.loads("[1]"), here, secrets, hasattr(builtins, "leak"), hasattr(type(host), "leak"), host.echo(n=1), v, random.random() < 1]
`;
const PRISTINE = [4, [1], [], [], false, false, { n: 1 }, 7, true];

describe("a run leaves nothing to the next turn", () => {
  const poisons: readonly [claim: string, code: string][] = [
    ["poisoned builtins", `import builtins\nbuiltins.len = lambda x: 0\nbuiltins.leak = 1\ndef f():\n    pass`],
    ["a poisoned json module", `import json\njson.loads = lambda s: "poisoned"\ndef f():\n    pass`],
    [
      "a poisoned class of the program",
      `type(host).leak = 1\ntype(host).__getattr__ = lambda *a: None\ndef f():\n    pass`,
    ],
    ["a stash in sys.modules", `import sys\nsys.modules["stash"] = {"tenant_secret": 1}\ndef f():\n    pass`],
    [
      "objects for the garbage collector",
      `import gc\nkept = {"tenant_secret": [1]}\nkept["self"] = kept\ndef f():\n    gc.disable()`,
    ],
    [
      "an emptied interpreter",
      `import sys, gc\ndef f():\n    for o in gc.get_objects():\n        if isinstance(o, dict):\n            o.clear()`,
    ],
    [
      "a poisoned driver",
      `import sys\ndef f():\n    import sealed_guest.execution as e\n    e.run = lambda *a: '{"kind":"returned","value":1}'`,
    ],
    [
      "an exit hook",
      `import atexit, weakref\ndef f():\n    atexit.register(lambda: None)\n    import threading\n    threading._shutdown = 1`,
    ],
    [
      "a frozen clock",
      `import time\ntime.time = lambda: 0\nimport random\nrandom.random = lambda: 4\ndef f():\n    pass`,
    ],
  ];
  for (const [claim, code] of poisons) {
    it(claim, async () => {
      await sandbox.run(code, { tenant: "apps/evil" });
      assert.deepEqual(await sandbox.value(PROBE, { tenant: "apps/good", keyword: { v: 7 } }), PRISTINE);
    });
  }
});

describe("nothing of the machine is in reach", () => {
  const attempts: readonly [claim: string, attempt: string][] = [
    ["import js", `import js`],
    ["import pyodide", `import pyodide_js`],
    ["the bridge by the import machinery", `__import__("importlib").import_module("_pyodide_core")`],
    ["ctypes", `import ctypes`],
    ["ctypes by the import machinery", `__import__("importlib").import_module("_ctypes")`],
    [
      "ctypes by the built-in loader",
      `import _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec("_ctypes", None))`,
    ],
    [
      "dlopen",
      `import _imp, importlib.machinery as m\n_imp.create_dynamic(m.ModuleSpec("x", None, origin="/tmp/x.so"))`,
    ],
    ["os.system", `import os\nr = os.system("id")\nassert r == 0, r`],
    ["os.popen", `import os\nos.popen("id").read()`],
    ["os.execv", `import os\nos.execv("/bin/sh", ["sh"])`],
    ["os.fork", `import os\nos.fork()`],
    ["os.kill", `import os\nos.kill(1, 9)`],
    ["subprocess", `import subprocess`],
    ["subprocess by the import machinery", `__import__("importlib").import_module("subprocess").run(["id"])`],
    ["posix_spawn", `import posix\nposix.posix_spawn("/bin/sh", ["sh"], {})`],
    ["open", `open("/etc/passwd").read()`],
    ["io.open", `import io\nio.open("/etc/passwd").read()`],
    ["os.open", `import os\nos.open("/etc/passwd", os.O_RDONLY)`],
    ["os.listdir", `import os\nassert os.listdir("/") == ["tmp"]\nos.listdir("/etc")`],
    ["pathlib", `import pathlib\npathlib.Path("/etc/passwd").read_text()`],
    ["tempfile", `import tempfile\ntempfile.mkdtemp(dir="/var/tmp")`],
    ["shutil", `import shutil\nshutil.copy("/etc/passwd", "/tmp/x")`],
    ["the environment", `import os\nassert dict(os.environ).get("PATH")`],
    ["a socket", `import importlib\nimportlib.import_module("socket").create_connection(("127.0.0.1", 80))`],
    ["the socket module", `import socket`],
    ["http.client", `import http.client\nhttp.client.HTTPConnection("127.0.0.1", 80).request("GET", "/")`],
    ["asyncio sockets", `import asyncio\nasyncio.run(asyncio.open_connection("127.0.0.1", 80))`],
    ["asyncio processes", `import asyncio\nasyncio.run(asyncio.create_subprocess_exec("id"))`],
    ["a thread", `import threading\nthreading.Thread(target=print).start()`],
    ["signals", `import signal\nsignal.raise_signal(9)`],
    ["another descriptor", `import os\nos.write(6, b"x")`],
    ["reading standard input", `import os\nos.read(0, 10)`],
    ["input()", `input()`],
    ["mmap", `import mmap`],
    ["sqlite3", `import sqlite3`],
    [
      "the real import through frames",
      `import sys\nimp = sys._getframe(1).f_builtins["__import__"]\nimp("socket").create_connection(("127.0.0.1", 80))`,
    ],
    [
      "classes through object's subclasses",
      `found = [c for c in object.__subclasses__() if c.__name__ == "_wrap_close"]\nfound[0].__init__.__globals__["system"]("id") == 0 or fail()`,
    ],
    [
      "a forged question",
      `import posix\nposix.write(3, b"\\x02\\x00\\x00\\x00{}")\nimport json\nfail(posix.read(3, 1000))`,
    ],
    [
      "a name that is not among the resources",
      `import posix\nposix.write(5, b"../../etc/passwd")\nfail(posix.read(5, 4))`,
    ],
    ["a malformed question", `import posix\nposix.write(3, b"\\xff\\xff\\xff\\xff{}")`],
    ["exit", `import os\nos._exit(0)`],
    ["abort", `import os\nos.abort()`],
  ];
  for (const [claim, attempt] of attempts) {
    it(claim, async () => {
      const statements = attempt.replace(/^/gm, "    ");
      const outcome = await attacked.run(`def fail(*a):\n    raise RuntimeError(a)\ndef f():\n${statements}\n`, {
        entry: "f",
      });
      assert.ok(["raised", "violation", "crashed"].includes(outcome.kind), JSON.stringify(outcome));
      assert.equal(await attacked.value("def f():\n    return 1\n"), 1);
    });
  }

  it("a forged function that reads outside its bounds harms only its own run", async () => {
    const code = `
def f():
    code = (lambda: 0).__code__.replace(co_code=bytes([100, 255, 83, 0] * 50), co_consts=())
    return type(lambda: 0)(code, {})()
`;
    const outcome = await sandbox.run(code);
    assert.notEqual(outcome.kind, "cancelled");
    assert.deepEqual(await sandbox.value(PROBE, { keyword: { v: 7 } }), PRISTINE);
  });
});

describe("the image's objects, which no reference count frees", () => {
  const collects = `
import collections, gc, json, sys
def f():
    kept = sys.getrefcount(json.loads), sys.getrefcount(collections.OrderedDict)
    mine = [object()]
    counted = sys.getrefcount(mine)
    gc.unfreeze()
    for _ in range(3):
        gc.collect()
    sys.modules.clear()
    gc.collect()
    return [kept, counted, json.dumps([str(n) for n in range(3)])]
`;

  it("bear a collection, and a run's own objects are counted as ever", async () => {
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await sandbox.value(collects), [[0x3fff_ffff, 0x3fff_ffff], 2, '["0", "1", "2"]']);
    }
  });
});

describe("a result", () => {
  it("cannot be forged into the server's objects", async () => {
    const outcome = await sandbox.run(`def f():\n    return {"__proto__": {"polluted": 1}}\n`);
    assert.equal(outcome.kind, "returned");
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });
});

for (const runtime of ["node", "worker"] as const) {
  describe(`the runtime ${runtime}`, () => {
    it("runs, limits and forgets as Deno does, and warns of the weaker isolation", async () => {
      await using other = createTestSandbox({ runtime, maxGuests: 1, hostFunctions });
      await other.run(`import json\njson.loads = lambda s: "poisoned"\ndef f():\n    pass\n`, { tenant: "apps/evil" });
      assert.deepEqual(await other.value(PROBE, { keyword: { v: 7 } }), PRISTINE);
      const loop = await other.run(`def f():\n    while True: pass\n`, { limits: { cpuMs: 100, wallMs: 5_000 } });
      assert.equal(loop.kind, "timeout");
      assert.deepEqual(await other.value("def f():\n    return host.echo(a=2)\n"), { a: 2 });
      const status = other.sandbox.status();
      assert.equal(status.runtime, runtime);
      assert.notEqual(status.warning, undefined);
    });
  });
}

describe("a sandbox that cannot start", () => {
  it("tells every run why, instead of letting it wait", async () => {
    await using broken = createTestSandbox({ cacheFolder: import.meta.filename });
    const outcomes = await Promise.all([1, 2].map(() => broken.run("def f():\n    pass\n")));
    for (const outcome of outcomes) {
      assert.equal(outcome.kind, "crashed");
      assert.match("message" in outcome ? outcome.message : "", /^the Python sandbox is not available: /);
    }
    await assert.rejects(broken.sandbox.inspect("x = 1"), /the Python sandbox is not available/);
    assert.match(broken.sandbox.status().warning ?? "", /^Python guests do not start/);
  });

  it("says by the code of the system that its disk is full", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "sealed-full-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status !== 0)
      return t.skip("nothing can be mounted here");
    try {
      await using full = createTestSandbox({ cacheFolder: folder });
      await assert.rejects(full.sandbox.inspect("x = 1"), { code: "ENOSPC" });
    } finally {
      spawnSync("umount", ["--lazy", folder]);
    }
  });
});
