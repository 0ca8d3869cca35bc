import type { BootedInterpreter } from "./boot-interpreter.ts";

/**
 * How deep C code may call itself. CPython 3.12 says 10,000, which its dearest ways (a class whose `__repr__` is its
 * `__str__`) do not reach on the guest's stack: the run would end there. With this, as everywhere else, they get a RecursionError.
 */
const DEPTH = 4_000;

/** Where CPython 3.12 keeps, in the state of a thread, what is left of it; and what it is before that, as it starts. Words. */
const REMAINING = 6;
const STARTED_WITH = [1_000, 1_000, 10_000];

/** Lowers the limit in a prepared interpreter. */
export function limitRecursion({ emscripten }: BootedInterpreter): void {
  const words = new Int32Array(emscripten.HEAPU8.buffer);
  const thread = emscripten._PyThreadState_Get() / 4;
  const found = words.subarray(thread + REMAINING + 1 - STARTED_WITH.length, thread + REMAINING + 1);
  if (found.join() !== STARTED_WITH.join()) throw new Error("the interpreter keeps its recursion limit somewhere else");
  words[thread + REMAINING] = DEPTH;
}
