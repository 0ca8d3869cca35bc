import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CppExceptions } from "./cpp-exceptions.ts";
import { LinearMemory } from "./linear-memory.ts";

const EXCEPTION = 4096;
const [BASE, DERIVED, POINTER, OTHER] = [100, 200, 300, 400];

/** The interpreter's part, as far as these tests need it: one type derives from another, one is a pointer. */
function open() {
  const memory = new LinearMemory(1 << 16, 1 << 16);
  const references: number[] = [];
  const second: number[] = [];
  const exceptions = new CppExceptions(memory, () => ({
    setThrew: () => {},
    setTempRet0: (value) => second.push(value),
    __cxa_can_catch: (caught, thrown, adjusted) => {
      if (caught !== BASE || thrown !== DERIVED) return 0;
      memory.writeInt32(adjusted, EXCEPTION + 8); // where the base is in the object
      return 1;
    },
    __cxa_is_pointer_type: (type) => (type === POINTER ? 1 : 0),
    __cxa_increment_exception_refcount: () => references.push(1),
    __cxa_decrement_exception_refcount: () => references.push(-1),
  }));
  const call = (name: string, ...args: readonly number[]) =>
    (exceptions.function(name) as unknown as (...args: readonly number[]) => number)(...args);
  const thrown = (name: string, ...args: readonly number[]): unknown => {
    try {
      call(name, ...args);
    } catch (error) {
      return error;
    }
  };
  const findCatch = (...types: readonly number[]) => [call("__cxa_find_matching_catch_3", ...types), second.pop()];
  return { memory, exceptions, call, thrown, findCatch, references };
}

describe("a C++ exception in native code", () => {
  it("is thrown as its address, and caught by its type, a base of it, or by everything", () => {
    const { call, thrown, findCatch } = open();
    assert.equal(thrown("__cxa_throw", EXCEPTION, DERIVED, 0), EXCEPTION);
    assert.deepEqual(findCatch(OTHER), [EXCEPTION, DERIVED]);
    assert.deepEqual(findCatch(OTHER, DERIVED), [EXCEPTION, DERIVED]);
    assert.deepEqual(findCatch(0), [EXCEPTION, DERIVED]);
    assert.deepEqual(findCatch(OTHER, BASE), [EXCEPTION, BASE]);
    assert.equal(call("__cxa_begin_catch", EXCEPTION), EXCEPTION + 8);
    assert.equal(call("llvm_eh_typeid_for", BASE), BASE);
  });

  it("goes on when a function only tidied up, and when its handler throws it again", () => {
    const { call, thrown, references } = open();
    thrown("__cxa_throw", EXCEPTION, OTHER, 0);
    assert.equal(thrown("__resumeException", EXCEPTION), EXCEPTION);
    assert.equal(call("__cxa_uncaught_exceptions"), 1);
    call("__cxa_begin_catch", EXCEPTION);
    assert.equal(call("__cxa_uncaught_exceptions"), 0);
    assert.equal(thrown("__cxa_rethrow"), EXCEPTION);
    assert.equal(call("__cxa_uncaught_exceptions"), 1);
    call("__cxa_end_catch");
    call("__cxa_begin_catch", EXCEPTION);
    call("__cxa_end_catch");
    assert.deepEqual(references, [1, -1, 1, -1]);
    assert.match(String(thrown("__cxa_rethrow")), /no exception to throw again/);
  });

  it("that is a pointer is handed over as the pointer", () => {
    const { memory, call, thrown } = open();
    memory.writeInt32(EXCEPTION, 1234);
    thrown("__cxa_throw", EXCEPTION, POINTER, 0);
    assert.equal(call("__cxa_get_exception_ptr", EXCEPTION), 1234);
  });

  it("is forgotten with its run", () => {
    const { exceptions, call, thrown, findCatch } = open();
    thrown("__cxa_throw", EXCEPTION, OTHER, 0);
    call("__cxa_begin_catch", EXCEPTION);
    exceptions.reset();
    assert.equal(call("__cxa_current_primary_exception"), 0);
    assert.equal(call("__cxa_uncaught_exceptions"), 0);
    assert.deepEqual(findCatch(0), [0, 0]);
  });

  it("is all that these functions are for", () => {
    const { exceptions } = open();
    assert.deepEqual(
      ["fd_write", "toString", "emscripten_run_script"].map((name) => exceptions.function(name)),
      [undefined, undefined, undefined],
    );
  });
});
