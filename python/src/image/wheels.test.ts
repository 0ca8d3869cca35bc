import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HASH_LIST, readWheels } from "./wheels.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

async function read(files: Readonly<Record<string, string>>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-wheels-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const wheels = await readWheels(folder);
    return wheels.map(({ file, sha256 }) => [file, sha256]);
  } catch (error) {
    return (error as Error).message.replace(folder, "FOLDER");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("readWheels", () => {
  it("reads what matches its hash", async () => {
    const [a, b] = [hashOf("a"), hashOf("b")];
    const files = { "b-1-py3-none-any.whl": "b", "a-1-py2.py3-none-any.whl": "a", "notes.txt": "" };
    const list = `${a}  a-1-py2.py3-none-any.whl\n${b.toUpperCase()} *b-1-py3-none-any.whl\n`;
    assert.deepEqual(await read({ ...files, [HASH_LIST]: list }), [
      ["a-1-py2.py3-none-any.whl", a],
      ["b-1-py3-none-any.whl", b],
    ]);
    assert.deepEqual(await readWheels(undefined), []);
  });

  it("reads native code for the sandbox's own Python, or for any later version of it", async () => {
    const files = [
      "a-1-cp312-cp312-pyodide_2024_0_wasm32.whl",
      "b-1-cp37-abi3-pyodide_2024_0_wasm32.whl",
      "c-1-1build-cp312-cp312-emscripten_3_1_58_wasm32.whl",
    ];
    const others = [
      "d-1-cp312-cp312-manylinux_2_28_x86_64.whl",
      "e-1-cp311-cp311-pyodide_2024_0_wasm32.whl",
      "f-1-cp313-abi3-pyodide_2024_0_wasm32.whl",
    ];
    const list = (names: readonly string[]) => names.map((name) => `${hashOf(name)}  ${name}\n`).join("");
    const contents = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
    assert.deepEqual(
      await read({ ...contents(files), [HASH_LIST]: list(files) }),
      files.map((name) => [name, hashOf(name)]),
    );
    const refusal = String(await read({ ...contents(others), [HASH_LIST]: list(others) }));
    assert.deepEqual(
      others.filter((name) => !refusal.includes(`${name} is built for another platform`)),
      [],
    );
  });

  it("refuses all of them when one is unlisted, changed, absent or for another platform", async () => {
    const native = "numpy-2.3.1-cp313-cp313-pyodide_2025_0_wasm32.whl";
    const list = `${hashOf("x")}  changed-1-py3-none-any.whl\n${hashOf("n")}  ${native}\n${hashOf("g")}  gone-1-py3-none-any.whl\n`;
    const files = { "changed-1-py3-none-any.whl": "y", "extra-1-py3-none-any.whl": "e", [native]: "n" };
    assert.equal(
      await read({ ...files, [HASH_LIST]: list }),
      "the Python wheels in FOLDER cannot be used: changed-1-py3-none-any.whl does not match its hash in SHA256SUMS; " +
        "extra-1-py3-none-any.whl is not listed in SHA256SUMS; " +
        `${native} is built for another platform: the sandbox loads pure Python (a wheel that ends with -none-any.whl) ` +
        "and native code with the tag cp312-cp312-pyodide_2024_0_wasm32; " +
        "gone-1-py3-none-any.whl is listed in SHA256SUMS but is not there",
    );
  });

  it("refuses a folder without a list", async () => {
    assert.equal(
      await read({ "a-1-py3-none-any.whl": "a" }),
      "the Python wheels in FOLDER cannot be used: there is no SHA256SUMS, which 'sha256sum *.whl' writes",
    );
  });
});
