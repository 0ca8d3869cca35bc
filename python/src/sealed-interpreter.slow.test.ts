import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it, mock } from "node:test";
import { SILENT, TEST_CACHE } from "../test/test-sandbox.ts";
import { hiddenStateOf } from "./image/hidden-state.ts";
import { assetsIn, ImageCache } from "./image/image-cache.ts";
import { PYTHON_WASM } from "./image/python-source.ts";
import type { JsonObject } from "./json.ts";
import { compileRequest, runRequest } from "./requests.ts";
import { Deadline } from "./sealed/deadline.ts";
import { Descriptors } from "./sealed/descriptors.ts";
import type { ImageMetadata } from "./sealed/image-metadata.ts";
import { classifyImport } from "./sealed/imports.ts";
import { BLOCK_BITS, LinearMemory } from "./sealed/linear-memory.ts";
import { liveFunctions } from "./sealed/live-functions.ts";
import { createSealedInterpreter, type SealedInterpreter } from "./sealed/sealed-interpreter.ts";
import { Stop } from "./sealed/stops.ts";

const CLOCKS = { now: () => performance.now(), cpu: () => process.cpuUsage().user / 1000 };

/** Bytes of a call frame before the request that the interpreter gets. */
const FRAME_PREFIX = 10;

describe("the imports of the interpreter", () => {
  it("are each decided on: live, by the table, by an error number, or a trap", async () => {
    const module = await WebAssembly.compile(new Uint8Array(await readFile(PYTHON_WASM)));
    const live = liveFunctions(surroundings());
    const classes: Record<string, string[]> = { live: [], invoke: [], errno: [], trap: [] };
    for (const { name, kind } of WebAssembly.Module.imports(module)) {
      if (kind === "function") classes[classifyImport(name, live)]?.push(name);
    }
    assert.deepEqual(Object.fromEntries(Object.entries(classes).map(([kind, names]) => [kind, names.length])), {
      live: 27,
      invoke: 38,
      errno: 63,
      trap: 172,
    });
    // What must never come to life: the bridge to JavaScript, native code, module loading, process control.
    const forbidden = [
      ...["raw_call_js", "js2python_js", "JsProxy_GetAttr_js", "JsvFunction_CallBound", "JsvFunction_Construct"],
      ...[
        "emscripten_asm_const_int",
        "pyodide_js_init",
        "ffi_call_js",
        "ffi_closure_alloc_js",
        "_emscripten_dlopen_js",
      ],
      ...["_dlsym_js", "_PyImport_InitFunc_TrampolineCall", "emscripten_promise_create", "__call_sighandler"],
    ];
    assert.deepEqual(
      forbidden.filter((name) => !classes.trap?.includes(name)),
      [],
    );
  });
});

describe("the sealed interpreter", () => {
  let assets: { module: WebAssembly.Module; image: Uint8Array; metadata: ImageMetadata };
  let images: ImageCache;
  before(async () => {
    images = new ImageCache({ cacheFolder: TEST_CACHE }, SILENT, new AbortController().signal);
    const [metadata, image, , wasm] = await Promise.all(assetsIn(await images.ensure()).map((file) => readFile(file)));
    const module = await WebAssembly.compile(new Uint8Array(wasm ?? []));
    assets = { module, image: image ?? Buffer.alloc(0), metadata: JSON.parse(String(metadata)) };
  });

  // The image is put back by what the write record says: these programs write in every way that there is.
  const programs: readonly [claim: string, code: string, ending?: string][] = [
    ["grew the memory", "kept = 'x' * 30_000_000\ndef f():\n    return len(kept)\n"],
    [
      "wrote everywhere",
      `
import gc, re, json, datetime, random, struct
def f():
    for o in gc.get_objects():
        if isinstance(o, dict) and len(o) < 50:
            o["planted"] = 1
    buffer = bytearray(2_000_000)
    for n in range(0, len(buffer) - 8, 4093):
        struct.pack_into("<d", buffer, n, random.random())
    buffer[1_000_000:] = buffer[:1_000_000]
    text = json.dumps({str(n): "ä" * n for n in range(300)})
    return [re.sub("a+", "b", "a" * 5000)[:3], datetime.datetime.now().strftime("%A")[:0], len(sorted(text)) > 9]
`,
    ],
    ["recursed deeply", "def f(n=0):\n    return f(n + 1)\n"],
    ["asked the host and printed", "import time\ndef f():\n    print('x' * 9000)\n    time.sleep(0.5)\n"],
    ["ran out of memory", "def f():\n    x = []\n    while True:\n        x.append('a' * 1_000_000)\n"],
    ["was cut off", "def f():\n    n = 7\n    while True:\n        n = n * n\n", "timeout"],
    [
      "destroyed the interpreter",
      "import gc\ndef f():\n    for o in gc.get_objects():\n        if isinstance(o, dict):\n            o.clear()\n",
    ],
  ];
  it("is byte for byte its image again after a restore, whatever a run did", async () => {
    const interpreter = await createSealedInterpreter({
      ...assets,
      maximumBytes: 64 << 20,
      clocks: CLOCKS,
      host: { ask: () => Buffer.from("{}"), fetch: () => undefined, print: () => {} },
    });
    const size = interpreter.memory().length;
    for (const [claim, code, ending] of programs) {
      assert.equal(endingOf(interpreter, code), ending ?? "answered", claim);
      interpreter.restore();
      assertImage(interpreter.memory(), assets, claim);
      interpreter.prepare(); // the next one begins with what was made ahead
    }
    // A size that grows could not be put back, and would tell the next tenant what the ones before it used (PY-44).
    assert.equal(interpreter.memory().length, size);
    assert.ok(interpreter.grownBytes() > 30_000_000, `${interpreter.grownBytes()} bytes were used`);
  });

  it("has nothing beside its memory that one run sets and the next finds (PY-44)", async () => {
    const [, , , wasm] = await Promise.all(assetsIn(await images.ensure()).map((file) => readFile(file)));
    const { globals, importedGlobals, changers } = hiddenStateOf(wasm ?? new Uint8Array());
    assert.deepEqual([...changers], [], "no function changes a table or the size of a memory");
    const imported = WebAssembly.Module.imports(assets.module).filter(({ kind }) => kind === "global");
    const names = [...globals].map((index) => (index < importedGlobals ? imported[index]?.name : `state ${index}`));
    const exported = WebAssembly.Module.exports(assets.module).filter(({ name }) => name.startsWith("state "));
    assert.deepEqual(names.sort(), ["__stack_pointer", ...exported.map(({ name }) => name)].sort());
    const instantiate = mock.method(WebAssembly, "instantiate");
    const interpreter = await createSealedInterpreter({
      ...assets,
      maximumBytes: 64 << 20,
      clocks: CLOCKS,
      host: { ask: () => Buffer.from("{}"), fetch: () => undefined, print: () => {} },
    });
    const instance = (await instantiate.mock.calls[0]?.result) as unknown as WebAssembly.Instance;
    instantiate.mock.restore();
    const state = exported.map(({ name }) => instance.exports[name] as WebAssembly.Global<"i32">);
    const before = state.map(({ value }) => value);
    const { setTempRet0, getTempRet0 } = instance.exports as unknown as {
      setTempRet0(value: number): void;
      getTempRet0(): number;
    };
    setTempRet0(0x5ec2e7);
    assert.equal(getTempRet0(), 0x5ec2e7);
    for (const global of state) global.value = 0x5ec2e7;
    interpreter.restore();
    assert.deepEqual([state.map(({ value }) => value), getTempRet0()], [before, 0]);
  });

  it("writes little of its image when a call does little", async () => {
    const interpreter = await createSealedInterpreter({
      ...assets,
      maximumBytes: 64 << 20,
      clocks: CLOCKS,
      host: { ask: () => Buffer.from("{}"), fetch: () => undefined, print: () => {} },
    });
    const before = interpreter.memory().slice();
    assert.equal(endingOf(interpreter, "def f():\n    return None\n"), "answered");
    const blocks = changedBlocks(before, interpreter.memory());
    assert.ok(blocks < 150, `${blocks} of ${before.length >> BLOCK_BITS} blocks were written`);
  });

  it("is its image again after every program of other suites, most of which end well", async () => {
    const answer = Buffer.from('{"result":{}}');
    const interpreter = await createSealedInterpreter({
      ...assets,
      maximumBytes: 64 << 20,
      clocks: CLOCKS,
      host: { ask: () => answer, fetch: () => undefined, print: () => {} },
    });
    const programs = programsOfOtherSuites();
    const endings = programs.map(([claim, code, entry]) => {
      const ending = endingOf(interpreter, code, entry, 200);
      interpreter.restore();
      assertImage(interpreter.memory(), assets, claim);
      return ending;
    });
    assert.ok(programs.length > 185, `${programs.length} programs`);
    assert.ok(endings.filter((ending) => ending === "answered").length > 0.9 * programs.length, endings.join(" "));
  });
});

function changedBlocks(before: Uint8Array, after: Uint8Array): number {
  const blocks = Array.from({ length: before.length >> BLOCK_BITS }, (_, block) => block << BLOCK_BITS);
  const end = 1 << BLOCK_BITS;
  return blocks.filter((start) =>
    Buffer.compare(before.subarray(start, start + end), after.subarray(start, start + end)),
  ).length;
}

/** Programs of other suites, each of which does something of its own to its interpreter: file, place and text. */
function programsOfOtherSuites(): [claim: string, code: string, entry: string][] {
  const tests = join(import.meta.dirname, "../test");
  const read = (folder: string, name: string) => readFileSync(join(tests, folder, name), "utf8");
  const programs = readdirSync(join(tests, "conformance")).filter((name) => name.endsWith(".py"));
  const conformance = programs.flatMap((name) => blocksOf(read("conformance", name), /^#: /m, name, ""));
  const trade = `${read("attacks", "prelude.py")}\n${read("attacks", "forge.py")}\n`;
  const attacks = ["next-tenant", "write-record"].flatMap((name) =>
    blocksOf(read("attacks/families", `${name}.py`), /^# case: /m, name, trade),
  );
  return [
    ...conformance.map(([claim, code]): [string, string, string] => [claim, code, ""]),
    ...attacks.map(([claim, code]): [string, string, string] => [claim, code, "run"]),
  ];
}

function blocksOf(text: string, mark: RegExp, name: string, before: string): [claim: string, code: string][] {
  return text
    .split(mark)
    .slice(1)
    .map((block, index) => [`${name} ${index}`, `${before}# ${block}`]);
}

/** Compiles and runs the first function of `code`, as one group. */
function endingOf(interpreter: SealedInterpreter, code: string, entry = "f", cpuMs = 1_000): string {
  const source = Buffer.from(code);
  const compile = compileRequest("f.py", source, 0).subarray(FRAME_PREFIX);
  const compiled = JSON.parse(Buffer.from(interpreter.call(compile, 5_000)).toString());
  if (compiled.kind !== "compiled") return compiled.kind; // some programs are wrong on purpose
  const keyword: JsonObject = entry === "run" ? { target: { marker: "0123456789abcdef" } } : {};
  const call = { code, filename: "f.py", entry, keyword };
  const request = runRequest(call, { source, code: Buffer.from(compiled.code, "base64") }, 0).subarray(FRAME_PREFIX);
  try {
    interpreter.call(request, cpuMs);
    return "answered";
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.kind;
    throw thrown;
  }
}

function assertImage(
  memory: Uint8Array,
  { image, metadata }: { image: Uint8Array; metadata: ImageMetadata },
  claim: string,
) {
  expectedImage ??= imageOf(memory.length, image, metadata);
  assert.ok(expectedImage.equals(memory), `the image is back after a run that ${claim}`);
}

/** Made once: most of it is the zeros behind the image. */
let expectedImage: Buffer | undefined;

function imageOf(size: number, image: Uint8Array, metadata: ImageMetadata): Buffer {
  const expected = Buffer.alloc(size);
  let offset = 0;
  for (const [first, end] of metadata.stretches) {
    const length = (end - first) << BLOCK_BITS;
    expected.set(image.subarray(offset, offset + length), first << BLOCK_BITS);
    offset += length;
  }
  assert.equal(offset, image.length);
  return expected;
}

/** Enough for a look at the names of the live functions. */
function surroundings() {
  const memory = new LinearMemory(1 << 20, 1 << 20);
  const table = new WebAssembly.Table({ initial: 1, element: "anyfunc" });
  const descriptors = new Descriptors(memory, { ask: () => new Uint8Array(), fetch: () => undefined, print: () => {} });
  const metadata = { argumentCounter: 0 } as ImageMetadata;
  return { memory, table, descriptors, deadline: new Deadline(CLOCKS), metadata };
}
