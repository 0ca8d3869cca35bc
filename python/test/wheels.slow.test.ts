import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { strToU8, zipSync } from "fflate";
import type { PythonOutcome } from "../src/index.ts";
import { WHEEL_TIME } from "./__fixtures__/wheel-time.ts";
import { createTestSandbox } from "./test-sandbox.ts";

const FILE = "counting-1.0-py3-none-any.whl";

/** A package, a package below a folder without `__init__`, a module. */
const WHEEL = {
  "counting/__init__.py": '"""Counts."""\nfrom .deep.more import twice\nfrom counting import names\n',
  "counting/deep/more.py": "def twice(n):\n    return n * 2\n",
  "counting/names.py": "ONE = 'one'\n",
  "counting/old.py": "print 'for Python 2'\n",
  "single.py": "import json\nVALUE = json.dumps([1])\n",
  "counting/data/numbers.py": "TWO = 2\n",
  "counting-1.0.data/purelib/counting/apart.py": "THREE = 3\n",
  "counting-1.0.data/scripts/count.py": "raise SystemExit\n",
  "google/protobuf/internal/type_checkers.py": "import ctypes\nround = lambda n: ctypes.c_float(n).value\n",
  "counting/words.json": '{"one": 1}',
  "counting-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n",
  "counting-1.0.dist-info/entry_points.txt": "[numbers]\none = counting.names:ONE\n",
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-wheels-"));
  const files = Object.entries(WHEEL).map(([name, text]) => [name, strToU8(text)]);
  const wheel = zipSync(Object.fromEntries(files), { mtime: WHEEL_TIME });
  await writeFile(join(folder, FILE), wheel);
  await writeFile(join(folder, "SHA256SUMS"), `${createHash("sha256").update(wheel).digest("hex")}  ${FILE}\n`);
});
after(() => rm(folder, { recursive: true, force: true }));

describe("a wheel that the operator supplies", () => {
  it("can be imported, module by module, and nothing else can", async () => {
    const outcome = await runWithWheels(`
import counting, single
from counting.names import ONE
from counting.data.numbers import TWO
from counting.apart import THREE
from google.protobuf.internal.type_checkers import round
def f():
    caught = []
    for name in ("counting.old", "counting.none", "numpy", "count", "ctypes"):
        try:
            __import__(name)
        except (ImportError, SyntaxError) as error:
            caught.append(type(error).__name__)
    numbers = [TWO, THREE, round(0.1) == 0.10000000149011612, str(round(-1e300))]
    return [counting.twice(4), ONE, single.VALUE, counting.__doc__, numbers, caught]
`);
    assert.partialDeepStrictEqual(outcome, {
      kind: "returned",
      value: [
        ...[8, "one", "[1]", "Counts.", [2, 3, true, "-inf"]],
        ["SyntaxError", ...new Array(4).fill("ModuleNotFoundError")],
      ],
    });
  });

  it("has its files beside its modules, to read, and its metadata", async () => {
    const outcome = await runWithWheels(`
import importlib.metadata, importlib.resources, json, os, pathlib, pkgutil
import counting
def f():
    words = pathlib.Path(counting.__file__).parent / "words.json"
    refused = []
    for change in (lambda: words.write_text("{}"), words.unlink, lambda: os.truncate(words, 0), lambda: (words.parent / "new").touch()):
        try:
            change()
        except PermissionError:
            refused.append(True)
    return {
        "file": [counting.__file__, json.__file__],
        "read": [json.loads(words.read_text()), words.stat().st_size, os.listdir(words.parent)],
        "resources": importlib.resources.files(counting).joinpath("words.json").read_text(),
        "data": pkgutil.get_data("counting", "words.json").decode(),
        "metadata": [importlib.metadata.version("counting"), importlib.metadata.metadata("counting")["Name"]],
        "entries": [entry.load() for entry in importlib.metadata.entry_points(group="numbers")],
        "refused": refused,
        "tmp": os.listdir("/tmp"),
    }
`);
    assert.partialDeepStrictEqual(outcome, {
      kind: "returned",
      value: {
        file: ["/lib/python3.12/site-packages/counting/__init__.py", "/lib/python312.zip/json/__init__.pyc"],
        read: [{ one: 1 }, 10, ["words.json"]],
        resources: '{"one": 1}',
        data: '{"one": 1}',
        metadata: ["1.0", "counting"],
        entries: ["one"],
        refused: [true, true, true, true],
        tmp: [],
      },
    });
  });

  it("is refused with all others when it was changed", async () => {
    await writeFile(join(folder, FILE), "something else");
    const outcome = await runWithWheels("def f():\n    return 1\n");
    assert.equal(outcome.kind, "crashed");
    assert.ok("message" in outcome && outcome.message.includes(`${FILE} does not match its hash in SHA256SUMS`));
  });
});

/** Runs the file in a sandbox that has the folder's wheels. */
async function runWithWheels(code: string): Promise<PythonOutcome> {
  await using sandbox = createTestSandbox({ wheelsFolder: folder, maxGuests: 1 });
  return await sandbox.run(code, { entry: "f", limits: { cpuMs: 5_000, wallMs: 60_000 } });
}
