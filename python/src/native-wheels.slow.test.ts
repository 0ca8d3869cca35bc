import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { NATIVE_WHEEL, nativeWheel } from "../test/__fixtures__/native-wheel.ts";
import { createTestSandbox, SILENT, TEST_CACHE, type TestSandbox } from "../test/test-sandbox.ts";
import { assetsIn, ImageCache } from "./image/image-cache.ts";
import { HASH_LIST } from "./image/wheels.ts";
import { inspectRequest } from "./requests.ts";
import { decodeArchive } from "./sealed/resource-archive.ts";
import { createSealedInterpreter } from "./sealed/sealed-interpreter.ts";

/** Bytes of a call frame before the request that the interpreter gets. */
const FRAME_PREFIX = 10;

/** Stands for `numpy.random`, whose `seed()` takes a new state from the system. */
const SEEDED = "import os\ndef seed():\n    global STATE\n    STATE = os.urandom(8).hex()\nseed()\n";

async function folderWith(wheel: Uint8Array, file = NATIVE_WHEEL): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-native-"));
  await writeFile(join(folder, file), wheel);
  await writeFile(join(folder, HASH_LIST), `${createHash("sha256").update(wheel).digest("hex")}  ${file}\n`);
  return folder;
}

describe("native code of the operator's wheels", () => {
  let folder: string;
  let python: TestSandbox;
  before(async () => {
    folder = await folderWith(
      nativeWheel({ "numpy/__init__.py": "from numpy import random\n", "numpy/random.py": SEEDED }),
    );
    python = createTestSandbox({ wheelsFolder: folder, maxGuests: 1 });
  });
  after(async () => {
    await python[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("runs: functions, function pointers, relocated data, own exports, long jumps, C++ exceptions, other libraries", async () => {
    const code = `
import tally
from tally import _added, _native
def f():
    return [tally.LOADED, _native.constructed(), _native.pointer(), _native.itself(), _native.jump(), _native.thrown(), _added.three()]
`;
    assert.deepEqual(await python.value(code), [1, 1, 42, 8, 7, 300, 3]);
  });

  it("raises Python's exceptions", async () => {
    const outcome = await python.run("from tally._native import fail\ndef f():\n    fail()\n");
    assert.partialDeepStrictEqual(outcome, { kind: "raised", type: "ValueError", message: "no tally today" });
  });

  it("keeps what it stores for the calls of one group, and nothing of it for another", async () => {
    const code = "import tally\ndef f():\n    return tally.bump()\n";
    const counts = [];
    for (const group of ["one", "one", "two", "two"]) counts.push(await python.value(code, { group }));
    assert.deepEqual(counts, [1, 2, 1, 2]);
  });

  it("does not share one state of NumPy's generator among all runs, which the image would hold", async () => {
    const code = "from numpy import random\ndef f():\n    return random.STATE\n";
    const states = [await python.value(code), await python.value(code)];
    assert.notEqual(states[0], states[1]);
  });

  it("reaches nothing of the host that other code does not reach", async () => {
    const outcome = await python.run("from tally._native import escape\ndef f():\n    escape()\n");
    const message = "the code reached the forbidden function emscripten_run_script";
    assert.partialDeepStrictEqual(outcome, { kind: "violation", message });
    assert.equal(await python.value("import tally\ndef f():\n    return tally.bump()\n"), 1);
  });

  it("is byte for byte its image again when that was put back", async () => {
    const images = new ImageCache(
      { cacheFolder: TEST_CACHE, wheelsFolder: folder },
      SILENT,
      new AbortController().signal,
    );
    const [metadata, image, , wasm, code] = await Promise.all(
      assetsIn(await images.ensure()).map(async (file) => new Uint8Array(await readFile(file))),
    );
    assert.ok(metadata && image && wasm && code);
    const sideModules = [...decodeArchive(code).values()].map((bytes) => new WebAssembly.Module(new Uint8Array(bytes)));
    const interpreter = await createSealedInterpreter({
      ...{
        module: new WebAssembly.Module(wasm),
        sideModules,
        image,
        metadata: JSON.parse(Buffer.from(metadata).toString()),
      },
      maximumBytes: 64 << 20,
      clocks: { now: () => performance.now(), cpu: () => process.cpuUsage().user / 1000 },
      host: { ask: () => Buffer.from("{}"), fetch: () => undefined, print: () => {} },
    });
    const before = interpreter.memory().slice();
    const inspected = inspectRequest("f.py", "import tally\nCOUNTS = [tally.bump() for _ in range(5)]\n", 1_000);
    const answer = Buffer.from(interpreter.call(inspected.subarray(FRAME_PREFIX), 5_000)).toString();
    assert.equal(JSON.parse(answer).kind, "module");
    assert.notDeepEqual(Buffer.from(interpreter.memory().subarray(0, before.length)), Buffer.from(before));
    interpreter.restore();
    assert.ok(Buffer.from(interpreter.memory().subarray(0, before.length)).equals(before));
    assert.ok(
      interpreter
        .memory()
        .subarray(before.length)
        .every((byte) => byte === 0),
    );
  });

  it("cannot be loaded by user code: the linker stayed behind", async () => {
    const code = `
import importlib.machinery, importlib.util
def f():
    loader = importlib.machinery.ExtensionFileLoader("other", "/native/tally/_added.so")
    importlib.util.module_from_spec(importlib.util.spec_from_loader("other", loader, origin=loader.path))
`;
    assert.partialDeepStrictEqual(await python.run(code), { kind: "violation" });
  });
});

describe("a native wheel that cannot be used", () => {
  const refusalOf = async (wheel: Uint8Array, file?: string): Promise<string> => {
    const folder = await folderWith(wheel, file);
    await using python = createTestSandbox({ wheelsFolder: folder, cacheFolder: folder, maxGuests: 1 });
    const outcome = await python.run("def f():\n    return 1\n");
    await rm(folder, { recursive: true, force: true });
    assert.equal(outcome.kind, "crashed");
    return "message" in outcome ? outcome.message.replace(folder, "FOLDER") : "";
  };

  it("is refused with the tag that is needed when it was built for another platform", async () => {
    assert.match(
      await refusalOf(nativeWheel(), "tally-1.0-cp312-cp312-pyodide_2025_0_wasm32.whl"),
      /tally-1\.0-cp312-cp312-pyodide_2025_0_wasm32\.whl is built for another platform: .*cp312-cp312-pyodide_2024_0_wasm32/,
    );
  });

  it("is refused with the name of the module that no wheel has", async () => {
    const missing = nativeWheel({ "tally/__init__.py": "import abacus\n" });
    assert.match(
      await refusalOf(missing),
      /the Python wheels in FOLDER cannot be used: tally needs the module abacus, which no wheel/,
    );
  });
});
