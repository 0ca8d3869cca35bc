import { LRUCache } from "lru-cache";
import type { PythonCall, PythonOutcome } from "./contract.ts";
import type { GuestPool } from "./guest-pool.ts";
import { parseAnswer, parseOutcome } from "./outcomes.ts";
import { type CompiledSource, compileRequest } from "./requests.ts";

/** Compiling is the interpreter's own work; a file that takes longer than this (milliseconds) was written to. */
const COMPILE_CPU_MS = 2_000;
const COMPILE_WALL_MS = 10_000;

/** Characters of source whose compiled form is kept. */
const CACHE_CAPACITY = 16 << 20;

/** A file ready to run, or the outcome of a run that cannot begin. */
type Compilation = { readonly compiled: CompiledSource } | { readonly outcome: PythonOutcome };

/**
 * Compiles each file once for all its runs, and keeps the code object outside the guests, whose memory is put back all the
 * time. Compiling runs no line of the file and happens in a fresh guest, so nobody can plant code in another's cache.
 */
export class SourceCompiler {
  readonly #pool: GuestPool;
  /** By text, then by file name: a long text is looked up as it is, not copied behind a name and hashed for each run. */
  readonly #cache = new LRUCache<string, Map<string, Promise<Compilation>>>({ maxSize: CACHE_CAPACITY });
  #sequence = 0;

  constructor(pool: GuestPool) {
    this.#pool = pool;
  }

  compile(call: PythonCall): Promise<Compilation> {
    const { code, filename } = call;
    const named = this.#cache.get(code) ?? new Map<string, Promise<Compilation>>();
    const known = named.get(filename);
    if (known) return known;
    const compilation = this.#compile(call).then((result) => {
      const isLasting = "compiled" in result || result.outcome.kind === "raised";
      if (!isLasting) named.delete(filename); // a guest that failed says nothing about the file
      return result;
    });
    named.set(filename, compilation);
    this.#cache.set(code, named, { size: (code.length + filename.length + 1) * named.size });
    return compilation;
  }

  async #compile(call: PythonCall): Promise<Compilation> {
    const started = performance.now();
    const source = Buffer.from(call.code);
    this.#sequence += 1;
    const booking = { tenant: "\0compile", group: `compile ${this.#sequence}` };
    const result = await this.#pool.run(booking, {
      frame: compileRequest(call.filename, source, COMPILE_CPU_MS),
      cpuMs: COMPILE_CPU_MS,
      wallMs: COMPILE_WALL_MS,
      answer: async () => ({ refused: "nothing is asked while a file is compiled" }),
    });
    const answer = result.ending === "answered" ? parseAnswer(result.body) : undefined;
    if (answer?.kind === "compiled" && typeof answer.code === "string") {
      return { compiled: { source, code: Buffer.from(answer.code, "base64") } };
    }
    return { outcome: parseOutcome(result, call, performance.now() - started) };
  }
}
