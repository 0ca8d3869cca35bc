import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleModule } from "../../test/__fixtures__/assemble-module.ts";
import type { BootedInterpreter } from "./boot-interpreter.ts";
import { loadSideModules, NATIVE_PATH } from "./side-modules.ts";

/** Refused before anything is asked of an interpreter. */
const NO_INTERPRETER = {} as BootedInterpreter;

const refusal = (bytes: Uint8Array): string => {
  try {
    loadSideModules(NO_INTERPRETER, [{ path: `${NATIVE_PATH}/pack/core.so`, bytes }]);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

describe("a file of native code that cannot be loaded", () => {
  it("is named when it brings JavaScript along", () => {
    const functions = [{ parameters: 0, results: 0, body: [0x0b] }];
    const withScript = assembleModule({ functions, exports: [["__em_js__alert", 0]] });
    assert.equal(
      refusal(withScript),
      "pack/core.so cannot be loaded: it brings JavaScript along, and the sandbox runs none",
    );
  });

  it("is named when it is no WebAssembly", () => {
    assert.match(refusal(Buffer.from("\x7fELF of another machine")), /^pack\/core\.so cannot be loaded: .*WebAssembly/);
  });
});
