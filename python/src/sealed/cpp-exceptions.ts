import type { LinearMemory } from "./linear-memory.ts";

/** What the interpreter's own C++ runtime does for exceptions; the compiler leaves the rest to the host. */
export interface CppRuntime {
  readonly setThrew: (threw: number, value: number) => void;
  readonly setTempRet0: (value: number) => void;
  readonly __cxa_can_catch: (caught: number, thrown: number, adjusted: number) => number;
  readonly __cxa_is_pointer_type: (type: number) => number;
  readonly __cxa_increment_exception_refcount: (exception: number) => void;
  readonly __cxa_decrement_exception_refcount: (exception: number) => void;
}

/** Where an exception's fields are, relative to the object that was thrown (emscripten 3.1.58, `__cxa_exception`). */
const FIELD = { type: -20, destructor: -16, isCaught: -12, isRethrown: -11, adjusted: -8 };

const FIND_CATCH = "__cxa_find_matching_catch_";

/**
 * C++ exceptions as this compiler has them without WebAssembly's own: thrown as a number, the object's address, which the
 * `invoke_*` functions catch. Only native modules need them. All of it happens in the guest's memory, and what is here
 * besides lasts no longer than a run.
 */
export class CppExceptions {
  readonly #memory: LinearMemory;
  readonly #runtime: () => CppRuntime;
  #caught: number[] = [];
  #last = 0;
  #uncaught = 0;

  /** `runtime` is called when there is an interpreter. */
  constructor(memory: LinearMemory, runtime: () => CppRuntime) {
    this.#memory = memory;
    this.#runtime = runtime;
  }

  reset(): void {
    this.#caught = [];
    this.#last = 0;
    this.#uncaught = 0;
  }

  /** The host's function of a name, if it is one of those for exceptions. */
  function(name: string): WebAssembly.ImportValue | undefined {
    if (name.startsWith(FIND_CATCH)) return (...types: number[]) => this.#findCatch(types);
    return Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
  }

  readonly #functions: Readonly<Record<string, WebAssembly.ImportValue>> = {
    __cxa_throw: (exception: number, type: number, destructor: number) => {
      this.#memory.writeInt32(exception + FIELD.type, type);
      this.#memory.writeInt32(exception + FIELD.destructor, destructor);
      this.#memory.writeInt32(exception + FIELD.adjusted, 0);
      this.#uncaught++;
      this.#throw(exception);
    },
    __cxa_begin_catch: (exception: number) => this.#beginCatch(exception),
    __cxa_end_catch: () => this.#endCatch(),
    __cxa_rethrow: () => this.#rethrow(this.#caught.pop()),
    __cxa_rethrow_primary_exception: (exception: number) => {
      if (exception !== 0) this.#rethrow(exception);
    },
    __cxa_current_primary_exception: () => {
      const exception = this.#caught.at(-1) ?? 0;
      if (exception !== 0) this.#runtime().__cxa_increment_exception_refcount(exception);
      return exception;
    },
    __cxa_get_exception_ptr: (exception: number) => this.#objectOf(exception),
    __cxa_uncaught_exceptions: () => this.#uncaught,
    __resumeException: (exception: number) => this.#throw(this.#last || exception),
    llvm_eh_typeid_for: (type: number) => type,
  };

  #throw(exception: number): never {
    this.#last = exception >>> 0;
    throw this.#last;
  }

  #beginCatch(exception: number): number {
    if (!this.#flag(exception + FIELD.isCaught)) {
      this.#setFlag(exception + FIELD.isCaught, true);
      this.#uncaught--;
    }
    this.#setFlag(exception + FIELD.isRethrown, false);
    this.#caught.push(exception);
    this.#runtime().__cxa_increment_exception_refcount(exception);
    return this.#objectOf(exception);
  }

  #endCatch(): void {
    this.#runtime().setThrew(0, 0);
    const exception = this.#caught.pop();
    if (exception !== undefined) this.#runtime().__cxa_decrement_exception_refcount(exception);
    this.#last = 0;
  }

  /** The exception stays among the caught ones until the handler that throws it again ends. */
  #rethrow(exception: number | undefined): void {
    if (exception === undefined) throw new Error("there is no exception to throw again");
    if (!this.#flag(exception + FIELD.isRethrown)) {
      this.#caught.push(exception);
      this.#setFlag(exception + FIELD.isRethrown, true);
      this.#setFlag(exception + FIELD.isCaught, false);
      this.#uncaught++;
    }
    this.#throw(exception);
  }

  /** The exception under way; its type is the second result, or the type of the handler that takes it. */
  #findCatch(handlers: readonly number[]): number {
    const { setTempRet0, __cxa_can_catch: canCatch } = this.#runtime();
    const exception = this.#last;
    const type = exception === 0 ? 0 : this.#memory.readInt32(exception + FIELD.type);
    if (exception !== 0) this.#memory.writeInt32(exception + FIELD.adjusted, exception);
    const takes = (handler: number) =>
      handler === 0 || handler === type || canCatch(handler, type, exception + FIELD.adjusted) !== 0;
    const handler = type === 0 ? undefined : handlers.find(takes);
    setTempRet0(handler || type);
    return exception;
  }

  #objectOf(exception: number): number {
    if (this.#runtime().__cxa_is_pointer_type(this.#memory.readInt32(exception + FIELD.type)))
      return this.#memory.readInt32(exception);
    return this.#memory.readInt32(exception + FIELD.adjusted) || exception;
  }

  #flag(address: number): boolean {
    return this.#memory.bytes[address >>> 0] !== 0;
  }

  #setFlag(address: number, value: boolean): void {
    this.#memory.write(address >>> 0, Uint8Array.of(value ? 1 : 0));
  }
}
