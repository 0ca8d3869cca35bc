import type { JsonObject, JsonValue } from "./json.ts";

/** Limits of one run. */
export interface PythonLimits {
  /** Processor milliseconds inside the interpreter. */
  readonly cpuMs: number;
  /** Milliseconds from the start to the end of the run, waiting for host functions included. */
  readonly wallMs: number;
}

/** One call of a function of a Python file. The file is executed as a module, then the function is called. */
export interface PythonCall {
  readonly code: string;
  /** Shown in tracebacks, e.g. `tools/lookup_order/python_code.py`. */
  readonly filename: string;
  /** Name of the function; empty or absent: the first one that the file defines. */
  readonly entry?: string;
  /** Keyword arguments, coerced to the annotated types where that is exact (enum, dataclass, `model_validate`). */
  readonly keyword?: JsonObject;
  /** Positional arguments, for the default program. A program of the embedder's own makes them of `input`. */
  readonly positional?: readonly JsonValue[];
  /** What the embedder's program begins the call with: the parameters of its method `begin`. */
  readonly input?: ProgramInput;
}

/** What a program gets of a call: fields that it always reads, and JSON texts that it may leave unparsed. */
export interface ProgramInput {
  readonly fields: JsonObject;
  readonly segments: readonly string[];
  /** Lists of which the program reads what its code looks at (`channel.read_list`), by their position here. Default: none. */
  readonly lists?: readonly TextList[];
}

/** A list of JSON texts that stays with the host. It must not change while the call runs. */
export interface TextList {
  readonly length: number;
  /** The text at an index below the length. */
  text(index: number): string;
}

/**
 * A function of the host that code in the guest may call, with the arguments that the code gave. What it throws is raised there
 * as `HostRefusal` with the same message. `signal` is aborted when the run ends.
 */
export type HostFunction = (args: JsonObject, signal: AbortSignal) => Promise<JsonValue>;

/** Host functions by name. One named `http` serves Python's `urllib.request`, with an `HttpCall` and an `HttpReply`. */
export type HostFunctions = Readonly<Record<string, HostFunction>>;

/** The arguments of the host function `http`. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Request body as text, or base64 when `bodyEncoding` says so. */
  readonly body?: string;
  readonly bodyEncoding?: "base64";
  /** Seconds. */
  readonly timeout?: number;
  readonly allowRedirects?: boolean;
}

/** Its result. */
export interface HttpReply {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How one run is grouped, limited and served. */
export interface RunOptions {
  /** Whose code it is. Tenants share the guests fairly and never a guest's memory. Default: "". */
  readonly tenant?: string;
  /**
   * Runs of one group (and tenant) may follow each other in a guest without the image being restored in between, each in a
   * fresh module. Default: every run is a group of its own.
   */
  readonly group?: string;
  /** Default: those of the sandbox. */
  readonly limits?: PythonLimits;
  /** Default: those of the sandbox. */
  readonly hostFunctions?: HostFunctions;
  readonly signal?: AbortSignal;
}

/** A line printed or logged by the code. */
export interface OutputLine {
  readonly stream: "stdout" | "stderr" | "log";
  readonly text: string;
}

/** One frame of a traceback that lies in the user's own file. */
export interface PythonFrame {
  readonly filename: string;
  readonly line: number;
  readonly function: string;
  /** The source line, trimmed. */
  readonly source: string;
}

/** What every outcome has. */
export interface RunRecord {
  readonly output: readonly OutputLine[];
  /** Milliseconds inside the guest, host functions included. */
  readonly durationMs: number;
}

/** A run that was ended from outside: nothing of it survives. */
export interface EndedRun extends RunRecord {
  /**
   * `violation`: it reached for something forbidden; `exhausted`: it never began, because its tenant has too many runs
   * waiting or no guest became free in time, and the message names the limit.
   */
  readonly kind: "timeout" | "out-of-memory" | "violation" | "crashed" | "cancelled" | "exhausted";
  readonly message: string;
}

/** How a run ended. The user's code never makes `run` throw. */
export type PythonOutcome =
  | (RunRecord & {
      readonly kind: "returned";
      /** The returned value as JSON. None = null. */
      readonly value: JsonValue;
      /** `None`, `dict`, `str`, `Order`, … the Python type's name. */
      readonly returnType: string;
      /** What the embedder's program reports beside the value; null: nothing. */
      readonly report: JsonValue;
    })
  | (RunRecord & {
      readonly kind: "raised";
      /** `KeyError`, `SyntaxError`, … */
      readonly type: string;
      readonly message: string;
      /** The user's own frames, outermost first. */
      readonly frames: readonly PythonFrame[];
      readonly report: JsonValue;
    })
  | EndedRun;

/** A function found in a module. */
export interface PythonFunctionInfo {
  readonly name: string;
  /** Where the definition begins, counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Docstring with its indentation removed, or "". */
  readonly docstring: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly kind: "positional" | "keyword-only" | "var-positional" | "var-keyword";
    /** Where the parameter stands, counted from 1. */
    readonly line: number;
    readonly column: number;
    /** JSON Schema of the annotation (`{}` when there is none or it says nothing). */
    readonly schema: JsonObject;
    /** The annotation as written, "" when absent. */
    readonly annotation: string;
    /** Whether the annotation is a text, or postponed, that names what does not exist. */
    readonly unresolved: boolean;
    readonly hasDefault: boolean;
    readonly default?: JsonValue;
    /** From the docstring's argument section. */
    readonly description: string;
  }[];
  /** The return annotation as written, "" when absent. */
  readonly returns: string;
  /** JSON Schema of the return annotation (`{}` when there is none or it says nothing). */
  readonly returnSchema: JsonObject;
  /** The docstring up to its first section. */
  readonly summary: string;
}

/** What a source file defines, or why it does not load. Found without calling anything. */
export type PythonModule =
  | { readonly kind: "module"; readonly functions: readonly PythonFunctionInfo[] }
  | {
      readonly kind: "broken";
      readonly type: string;
      readonly message: string;
      readonly line: number;
      readonly column: number;
    };

/** What runs the sealed interpreter: Deno and Node in a child process, `worker` in a thread of this process. */
export type GuestRuntime = "deno" | "node" | "worker";

/** What the sandbox does now; counts are of guests. */
export interface SandboxStatus {
  readonly runtime: GuestRuntime;
  /** Whether guest processes run inside bubblewrap. */
  readonly bubblewrap: boolean;
  readonly guests: number;
  /** Guests that serve a call, and calls that wait for a guest. */
  readonly busy: number;
  readonly waiting: number;
  readonly warning?: string | undefined;
}

/** Where the sandbox reports what the operator should know: the shape of pino's loggers. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Runs Python. */
export interface Sandbox {
  run(call: PythonCall, options?: RunOptions): Promise<PythonOutcome>;
  /**
   * Loads a file without calling anything in it. Results are cached by content. Waits in the line of its tenant, by default one
   * for all files without a tenant, as long as files before it are looked at. Rejects with `NotInspected` when no guest can be had.
   */
  inspect(code: string, options?: Pick<RunOptions, "tenant">): Promise<PythonModule>;
  status(): SandboxStatus;
  close(): Promise<void>;
}
