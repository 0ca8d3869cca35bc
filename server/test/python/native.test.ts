import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parsePrograms } from "@frontdesk/sealed-python/conformance";
import { findNativePython, runNative } from "./native-python.ts";

/** The conformance programs that promise nothing but what CPython does: the guest runs them in `python/test/conformance`. */
const FOLDER = join(import.meta.dirname, "../../../python/test/conformance");
const programs = readdirSync(FOLDER)
  .filter((name) => name.startsWith("cpython-"))
  .flatMap((name) => parsePrograms(readFileSync(join(FOLDER, name), "utf8")));

const native = findNativePython();

describe("what the conformance programs expect of CPython", { skip: !native && "no CPython 3.12 here" }, () => {
  it("is what the CPython of this machine does", () => {
    assert.ok(programs.length >= 150, `${programs.length} programs`);
    const calls = programs.map(({ code }) => ({ code, function: "f", args: {}, variables: {} }));
    const results = runNative(native ?? "", calls);
    for (const [index, { claim, expected }] of programs.entries()) {
      assert.deepEqual(results[index]?.result, expected.value, claim);
    }
  });
});
