import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, it } from "node:test";
import { createLogger } from "#base";
import { ImageCache, readAssets } from "./image/image-cache.ts";
import { PYTHON_WASM } from "./image/python-source.ts";
import { compileRequest, runRequest } from "./requests.ts";
import { Deadline } from "./sealed/deadline.ts";
import { Descriptors } from "./sealed/descriptors.ts";
import type { ImageMetadata } from "./sealed/image-metadata.ts";
import { classifyImport } from "./sealed/imports.ts";
import { LinearMemory } from "./sealed/linear-memory.ts";
import { liveFunctions } from "./sealed/live-functions.ts";
import { createSealedInterpreter } from "./sealed/sealed-interpreter.ts";
import { TEST_CACHE } from "./test-sandbox.ts";

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
  before(async () => {
    const images = new ImageCache(TEST_CACHE, createLogger("silent"), new AbortController().signal);
    const { metadata, image, wasm } = await readAssets(await images.ensure());
    const module = await WebAssembly.compile(new Uint8Array(wasm));
    assets = { module, image, metadata: JSON.parse(Buffer.from(metadata).toString()) };
  });

  it("is byte for byte its image again after a restore", async () => {
    const interpreter = await createSealedInterpreter({
      ...assets,
      maximumBytes: 128 << 20,
      outside: { ask: () => new Uint8Array(), fetch: () => undefined, print: () => {} },
    });
    const context = { invocationId: "", agentName: "", sessionId: "", state: {}, userContent: null, events: [] };
    const code = "kept = 'NEEDLE' * 5_000_000\ndef f():\n    return kept[:6]\n";
    const call = { code, filename: "f.py", entry: "", context, toolNames: [] };
    const source = Buffer.from(code);
    const compiled = JSON.parse(
      Buffer.from(interpreter.call(compileRequest("f.py", source, 0).subarray(FRAME_PREFIX), 5_000)).toString(),
    );
    const request = runRequest(call, { source, code: Buffer.from(compiled.code, "base64") }, 0).subarray(FRAME_PREFIX);
    const answer = JSON.parse(Buffer.from(interpreter.call(request, 5_000)).toString());
    assert.equal(answer.value, "NEEDLE");
    interpreter.restore();
    const memory = Buffer.from(interpreter.memory());
    assert.ok(memory.length > assets.metadata.memoryBytes, "the memory grew");
    assert.ok(memory.subarray(0, assets.image.length).equals(assets.image), "the image is back");
    assert.ok(
      memory.subarray(assets.image.length).every((byte) => byte === 0),
      "the rest is zero",
    );
  });
});

/** Enough for a look at the names of the live functions. */
function surroundings() {
  const memory = new LinearMemory(1 << 20, 1 << 20);
  const table = new WebAssembly.Table({ initial: 1, element: "anyfunc" });
  const descriptors = new Descriptors(memory, { ask: () => new Uint8Array(), fetch: () => undefined, print: () => {} });
  const metadata = { argumentCounter: 0 } as ImageMetadata;
  return { memory, table, descriptors, deadline: new Deadline(), metadata };
}
