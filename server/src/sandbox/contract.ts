import type {
  EndedRun,
  HttpCall,
  HttpReply,
  PythonFrame,
  PythonLimits,
  PythonModule,
  RunRecord,
} from "@frontdesk/sealed-python";
import type { JsonObject, JsonValue } from "#base";

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
  /** Events of the session so far: `{id, invocation_id, author, timestamp, content, actions, …}`. Read as far as the code looks at them. */
  readonly events: JsonList;
  /** Further attributes of `CallbackContext` by their Python names: language_code, project_id, location, app_id, turn_index, … */
  readonly extra?: JsonObject;
}

/** A list of JSON objects, such as an array; an item is made when it is read. It does not change while a call runs. */
export interface JsonList {
  readonly length: number;
  at(index: number): JsonObject | undefined;
}

/** A positional argument: plain JSON, or one of the platform's classes built from JSON. */
export type PythonArgument =
  | { readonly kind: "json"; readonly value: JsonValue }
  | { readonly kind: "callback-context" }
  | { readonly kind: "tool"; readonly name: string; readonly description: string }
  /** `contents`, when given, are those of the request, whose value has none: they are read as far as the code looks at them. */
  | { readonly kind: "llm-request"; readonly value: JsonObject; readonly contents?: JsonList }
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

/** A call of a tool or an HTTP server by the running code. */
export type HostCall =
  | { readonly op: "tool"; readonly name: string; readonly args: JsonObject }
  | ({ readonly op: "http" } & HttpCall);

/** What becomes an `ExternalResponse` in Python. */
export type HostReply = HttpReply;

/** Serves host calls; rejections become status 500 with the message as reason. The sandbox itself runs async_tools concurrently. */
export type HostCallHandler = (call: HostCall, signal: AbortSignal) => Promise<HostReply>;

/** Whose code runs, in which turn, and what it may take and ask for. */
export interface RunOptions {
  /** Resource name of the app: guests are never shared between tenants without a restored image. */
  readonly tenant: string;
  /** Key of one run of a turn, which no other has: its calls may share a guest with fresh namespaces. */
  readonly turn: string;
  /** The caller may only tighten the defaults or, for `wallMs`, set the tool's own (PY-39). */
  readonly limits: PythonLimits;
  readonly onHostCall: HostCallHandler;
  readonly signal?: AbortSignal;
}

/** How a run ended. The user's code never makes `run` throw. */
export type PythonOutcome =
  | (RunRecord & {
      readonly kind: "returned";
      /** The returned value as JSON; platform classes as their snake_case JSON with `returnType` telling which. None = null. */
      readonly value: JsonValue;
      /** `None`, `Content`, `LlmResponse`, `dict`, `str`, … the Python type name. */
      readonly returnType: string;
      /**
       * The positional arguments after the call (in-place edits of llm_request, input, …), same order; unchanged ones are undefined. In the
       * `contents` of a request that were given beside its value, `[from, to]` stands for those from one index up to another, unchanged.
       */
      readonly edited: readonly (JsonValue | undefined)[];
      readonly state: VariableChanges;
    })
  | (RunRecord & {
      readonly kind: "raised";
      /** `KeyError`, `SyntaxError`, … */
      readonly type: string;
      readonly message: string;
      /** The user's own frames, outermost first. */
      readonly frames: readonly PythonFrame[];
      /** State written before the exception. */
      readonly state: VariableChanges;
    })
  | EndedRun;

/** Whole new values of the variables that changed, and the names removed. */
export interface VariableChanges {
  readonly set: JsonObject;
  readonly removed: readonly string[];
}

interface SandboxStatus {
  /** What runs the sealed interpreter. */
  readonly host: "deno" | "node" | "worker";
  readonly bubblewrap: boolean;
  readonly guests: number;
  readonly warning?: string;
}

/** The Python host. */
export interface Sandbox {
  run(call: PythonCall, options: RunOptions): Promise<PythonOutcome>;
  /** Loads a file without calling anything in it, as a call of the tenant, if one is named. Results are cached by content. */
  inspect(code: string, options?: Partial<Pick<RunOptions, "tenant">>): Promise<PythonModule>;
  status(): SandboxStatus;
  close(): Promise<void>;
}
