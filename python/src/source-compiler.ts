import type { PythonCall, PythonOutcome } from "./contract.ts";
import type { GuestPool } from "./guest-pool.ts";
import { parseAnswer, parseOutcome } from "./outcomes.ts";
import { type CompiledSource, compileRequest } from "./requests.ts";
import { SharedResults } from "./shared-results.ts";

/** Compiling is the interpreter's own work; a file that takes longer than this (milliseconds) was written to. */
const COMPILE_CPU_MS = 2_000;
const COMPILE_WALL_MS = 10_000;

/** A file ready to run, or the outcome of a run that cannot begin. */
type Compilation = { readonly compiled: CompiledSource } | { readonly outcome: PythonOutcome };

/**
 * Compiles each file once for all its runs, and keeps the code object outside the guests, whose memory is put back all the
 * time. Compiling runs no line of the file and happens in a fresh guest, so nobody can plant code in another's cache. It
 * counts as a call of the tenant that has the file.
 */
export class SourceCompiler {
  readonly #pool: GuestPool;
  readonly #compilations = new SharedResults<Compilation>();
  #sequence = 0;

  constructor(pool: GuestPool) {
    this.#pool = pool;
  }

  /** Waits in the tenant's line, unless the file was compiled before. */
  compile(call: PythonCall, tenant: string): Compilation | Promise<Compilation> {
    return this.#compilations.get(tenant, call.code, call.filename, async () => {
      const result = await this.#compile(call, tenant);
      // A guest that failed says nothing about the file.
      return { result, isLasting: "compiled" in result || result.outcome.kind === "raised" };
    });
  }

  async #compile(call: PythonCall, tenant: string): Promise<Compilation> {
    const started = performance.now();
    const source = Buffer.from(call.code);
    this.#sequence += 1;
    const booking = { tenant, group: `\0compile ${this.#sequence}`, neverWaits: true };
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
