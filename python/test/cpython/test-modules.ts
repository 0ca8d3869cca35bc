import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { TEST_CACHE } from "../test-sandbox.ts";
import { CPYTHON_MODULES } from "./cpython-modules.ts";
import { writeTestWheel } from "./cpython-wheel.ts";

/** CPython's own tests, where this package of Debian puts them; and the version that what is expected was written down of. */
const PACKAGE = "libpython3.11-testsuite";
const VERSION = "3.11.2-6+deb12u9";
const SUITE = "/usr/lib/python3.11/test";

/** Runs a module of them. A module that is loaded anew would be another one; here there is one. */
const RUN = `
import importlib, io, unittest
def run(name: str) -> dict:
    from test.support import import_helper
    import_helper.import_fresh_module = lambda name, *_, **__: importlib.import_module(name)
    suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("test." + name))
    result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
    failed = {}
    for case, traceback in result.failures + result.errors:
        case = getattr(case, "test_case", case)  # of a subtest
        failed[case.id().removeprefix(f"test.{name}.")] = traceback[-600:]
    return {"ran": result.testsRun, "failed": failed}
`;

interface Result {
  readonly ran: number;
  /** The last lines of the traceback, by the test's name. */
  readonly failed: Readonly<Record<string, string>>;
}

/** A test for each of the modules, and that at least so many tests ran in all of them. */
export function testModules(modules: readonly string[], atLeast: number): void {
  describe("CPython's own tests in the sandbox", { skip: absence(), concurrency: 2 }, () => {
    let folder: string;
    let sandbox: Sandbox;
    let ran = 0;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "frontdesk-cpython-"));
      await writeTestWheel(SUITE, folder, modules);
      sandbox = createSandbox({ cacheFolder: TEST_CACHE, wheelsFolder: folder, maxGuests: 2 });
    });
    after(async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
      assert.ok(ran >= atLeast, `${ran} tests ran`);
    });

    for (const name of modules) {
      it(name, async () => {
        const { ran: count, failed } = await runModule(sandbox, name);
        ran += count;
        const expected = Object.values(CPYTHON_MODULES[name] ?? {})
          .flat()
          .sort();
        const unexpected = Object.entries(failed).filter(([test]) => !expected.includes(test));
        assert.deepEqual(unexpected, []);
        assert.deepEqual(Object.keys(failed).sort(), expected, "what comes out otherwise is what is known to");
      });
    }
  });
}

/** Why the tests cannot run; another version may have other tests. */
function absence(): string | false {
  const { stdout } = spawnSync("dpkg-query", ["--status", PACKAGE], { encoding: "utf8" });
  const found = /^Version: (.+)$/m.exec(stdout ?? "")?.[1];
  return found === VERSION ? false : `needs Debian's ${PACKAGE} ${VERSION}, and here is ${found ?? "none"}`;
}

async function runModule(sandbox: Sandbox, name: string): Promise<Result> {
  const outcome = await sandbox.run(
    { code: RUN, filename: "run.py", entry: "run", keyword: { name } },
    { limits: { cpuMs: 60_000, wallMs: 150_000 } },
  );
  assert.ok(outcome.kind === "returned", JSON.stringify(outcome));
  return outcome.value as unknown as Result;
}
