import type { JsonObject, JsonValue } from "./json.ts";

/** Limits of one run. Every one has a default (PY-39); the caller may only tighten or, for `wallMs`, set the tool's own. */
export interface PythonLimits {
  /** CPU milliseconds inside the interpreter. Default 10,000 for tools, 2,000 for callbacks. */
  readonly cpuMs: number;
  /** Wall milliseconds including host calls. Default 30,000. */
  readonly wallMs: number;
}

/**
 * What the code sees of the conversation, as plain JSON in snake_case, ready for the Pydantic-like classes of the guest
 * (PY-18). Parsed lazily there.
 */
export interface PythonContext {
  readonly invocationId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly functionCallId?: string;
  /** `context.state` / `context.variables`: a snapshot; changes come back in the outcome. */
  readonly state: JsonObject;
  /** `{role, parts: [...]}` of this turn's user message, or null. */
  readonly userContent: JsonValue;
  /** Events of the session so far: `{id, invocation_id, author, timestamp, content, actions, …}`. */
  readonly events: readonly JsonObject[];
  /** Further attributes of `CallbackContext` by their Python names: language_code, project_id, location, app_id, turn_index, … */
  readonly extra?: JsonObject;
}

/** A positional argument: plain JSON, or one of the platform's classes built from JSON. */
export type PythonArgument =
  | { readonly kind: "json"; readonly value: JsonValue }
  | { readonly kind: "callback-context" }
  | { readonly kind: "tool"; readonly name: string; readonly description: string }
  | { readonly kind: "llm-request"; readonly value: JsonObject }
  | { readonly kind: "llm-response"; readonly value: JsonObject };

/** One entry call. The source is executed as a module, then the entry function is called. */
export interface PythonCall {
  readonly code: string;
  /** Shown in tracebacks, e.g. `tools/lookup_order/python_code.py`. */
  readonly filename: string;
  /** Name of the entry function; empty = the first function defined in the file. */
  readonly entry: string;
  /** Positional arguments (callbacks), in the documented order. */
  readonly positional?: readonly PythonArgument[];
  /** Keyword arguments (tools), coerced to the annotated types where that is exact (enum, dataclass, Pydantic-like). */
  readonly keyword?: JsonObject;
  readonly context: PythonContext;
  /** Display names answering under `tools.` / `async_tools.`; an unknown one raises a catchable AttributeError that names them. */
  readonly toolNames: readonly string[];
}

/** A blocking request of the running code to the host. `handle` pairs an asynchronous start with its wait. */
export type HostCall =
  | { readonly op: "tool"; readonly name: string; readonly args: JsonObject }
  | {
      readonly op: "http";
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Request body as text, or base64 when `bodyEncoding` says so. */
      readonly body?: string;
      readonly bodyEncoding?: "base64";
      /** Seconds. */
      readonly timeout?: number;
      readonly allowRedirects?: boolean;
    };

/** What becomes an `ExternalResponse` in Python. */
export interface HostReply {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves host calls; rejections become status 500 with the message as reason. The sandbox itself runs async_tools concurrently. */
export type HostCallHandler = (call: HostCall, signal: AbortSignal) => Promise<HostReply>;

export interface RunOptions {
  /** Resource name of the app: guests are never shared between tenants without a restored image. */
  readonly tenant: string;
  /** Key of the turn: calls of one turn may share a guest with fresh namespaces. */
  readonly turn: string;
  readonly limits: PythonLimits;
  readonly onHostCall: HostCallHandler;
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

interface RunRecord {
  readonly output: readonly OutputLine[];
  /** Milliseconds inside the guest, host calls included. */
  readonly durationMs: number;
}

/** How a run ended. The user's code never makes `run` throw. */
export type PythonOutcome =
  | (RunRecord & {
      readonly kind: "returned";
      /** The returned value as JSON; platform classes as their snake_case JSON with `returnType` telling which. None = null. */
      readonly value: JsonValue;
      /** `None`, `Content`, `LlmResponse`, `dict`, `str`, … the Python type name. */
      readonly returnType: string;
      /** The positional arguments after the call (in-place edits of llm_request, input, …), same order; unchanged ones are undefined. */
      readonly edited: readonly (JsonValue | undefined)[];
      /** Whole new values of the variables that changed, and the names removed. */
      readonly state: { readonly set: JsonObject; readonly removed: readonly string[] };
    })
  | (RunRecord & {
      readonly kind: "raised";
      /** `KeyError`, `SyntaxError`, … */
      readonly type: string;
      readonly message: string;
      /** The user's own frames, outermost first. */
      readonly frames: readonly PythonFrame[];
      /** State written before the exception. */
      readonly state: { readonly set: JsonObject; readonly removed: readonly string[] };
    })
  | (RunRecord & {
      /**
       * The run was ended from outside: nothing of it survives. `exhausted`: it never began, because its app has too many
       * calls waiting or no guest became free in time; the message names the limit.
       */
      readonly kind: "timeout" | "out-of-memory" | "violation" | "crashed" | "cancelled" | "exhausted";
      readonly message: string;
    });

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
  /** First paragraph of the docstring up to its argument section: what the model is told. */
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

export interface SandboxStatus {
  /** Which wall stands around the guest. */
  readonly host: "deno" | "node" | "worker";
  readonly bubblewrap: boolean;
  readonly guests: number;
  readonly warning?: string;
}

/** Where the sandbox reports what the operator should know: pino's shape. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The Python host. */
export interface Sandbox {
  run(call: PythonCall, options: RunOptions): Promise<PythonOutcome>;
  /** Loads a file without calling anything in it. Results are cached by content. */
  inspect(code: string): Promise<PythonModule>;
  status(): SandboxStatus;
  close(): Promise<void>;
}
