import { definedFields, type JsonObject, type JsonValue, keepSpelling } from "#base";
import type {
  OutputLine,
  PythonArgument,
  PythonContext,
  PythonFrame,
  PythonLimits,
  PythonOutcome,
  Sandbox,
} from "#sandbox";
import type { FailedTool, NestedCall, ToolContext, ToolOutcome, ToolStateChange, Tools } from "../contract.ts";
import { failed, mergeChanges } from "../outcomes.ts";

import { toolsetToolNamesIn } from "./toolset-tools.ts";

/**
 * One call of user code: a Python tool, a callback, a fake, a transfer rule's condition, a guardrail's code or a widget's data
 * mapping. They differ only in entry point and arguments (PY-3).
 */
export interface UserCodeCall {
  readonly code: string;
  /** Path of the file in an exported app, as tracebacks show it. */
  readonly filename: string;
  /** The function to call; "" = the first one of the file. Without it the call fails with a NameError that lists the functions. */
  readonly entry: string;
  /** Arguments in the documented order; parameter names are up to the code. */
  readonly positional?: readonly PythonArgument[];
  /** Keyword arguments, as tools take them. */
  readonly keyword?: JsonObject;
  readonly context: ToolContext;
  /** Id of the tool call that this code handles, if any. */
  readonly functionCallId?: string;
  /** Default: 2 s of CPU time, 30 s with tools and requests. */
  readonly limits?: PythonLimits;
}

interface UserCodeRecord {
  readonly durationMs: number;
  /** Printed and logged output. */
  readonly output: readonly OutputLine[];
  /** State delta of the code and of tools it called; the code's own writes win. */
  readonly state: ToolStateChange;
  /** Tools that the code called, in the order in which they ended. */
  readonly calls: readonly NestedCall[];
}

/** A call that returned a value. */
export interface UserCodeReturned extends UserCodeRecord {
  readonly kind: "returned";
  /** The value as JSON; `None` is null. */
  readonly value: JsonValue;
  /** Name of its Python type: `None`, `bool`, `dict`, `Content`, … */
  readonly returnType: string;
  /** Positional arguments after the call, in order; undefined for those that were not edited in place. */
  readonly edited: readonly (JsonValue | undefined)[];
}

/** A call that raised an exception or was terminated. The caller decides whether `state` applies. */
export interface UserCodeFailed extends UserCodeRecord {
  readonly kind: "failed";
  readonly cause: Exclude<PythonOutcome["kind"], "returned">;
  /** Class name of the exception; "" for a terminated call. */
  readonly type: string;
  /** Message of the exception, or why the call was terminated. */
  readonly message: string;
  /** Type and message: `KeyError: 'x'`. */
  readonly error: string;
  /** The user's own lines, outermost first. */
  readonly frames: readonly PythonFrame[];
}

/** How a call of user code ended. */
export type UserCodeOutcome = UserCodeReturned | UserCodeFailed;

export interface UserCodeDeps {
  readonly sandbox: Pick<Sandbox, "run">;
  readonly tools: Pick<Tools, "hostCalls" | "open">;
}

/** Limits of callbacks: less CPU time than a tool has, but the same time for tools and requests (CB-20). */
export const CALLBACK_LIMITS: PythonLimits = Object.freeze({ cpuMs: 2_000, wallMs: 30_000 });

/** Runs user code in the conversation of `context`, with access to the app's tools and to HTTP. Never rejects because of what the code did. */
export async function runUserCode(call: UserCodeCall, { sandbox, tools }: UserCodeDeps): Promise<UserCodeOutcome> {
  const { context, functionCallId, limits = CALLBACK_LIMITS } = call;
  const calls: NestedCall[] = [];
  const run = await sandbox.run(
    {
      code: call.code,
      filename: call.filename,
      entry: call.entry,
      ...definedFields({ positional: call.positional, keyword: call.keyword }),
      context: withCallId(context.python, functionCallId),
      toolNames: [...context.appTools.keys(), ...(await toolsetToolNamesIn(call.code, context, tools))],
    },
    {
      tenant: context.app,
      turn: context.turn,
      limits,
      onHostCall: tools.hostCalls(context, (nested) => calls.push(nested)),
      signal: context.signal,
    },
  );
  return toUserCodeOutcome(run, calls);
}

/** Copying evaluates all getters of the context, so it is copied only when the id differs. */
function withCallId(python: PythonContext, functionCallId: string | undefined): PythonContext {
  if (functionCallId === undefined || functionCallId === python.functionCallId) return python;
  return { ...python, functionCallId };
}

function toUserCodeOutcome(run: PythonOutcome, calls: readonly NestedCall[]): UserCodeOutcome {
  const { durationMs, output } = run;
  const nested = calls.map(({ outcome }) => outcome.state);
  const record = { durationMs, output, calls };
  if (run.kind === "returned") {
    const { value, returnType, edited } = run;
    const state = mergeChanges([...nested, run.state]);
    const returned = { ...record, kind: "returned" as const, value, returnType, edited, state };
    keepSpelling(run, "value", returned, "value");
    return returned;
  }
  const { kind: cause, message } = run;
  if (run.kind === "raised") {
    const { type, frames } = run;
    const error = message === "" ? type : `${type}: ${message}`;
    return {
      ...record,
      kind: "failed",
      cause,
      type,
      message,
      error,
      frames,
      state: mergeChanges([...nested, run.state]),
    };
  }
  return {
    ...record,
    kind: "failed",
    cause,
    type: "",
    message,
    error: message,
    frames: [],
    state: mergeChanges(nested),
  };
}

/** The outcome of a tool that is user code: the value in `{"result": …}`, or the error envelope. */
export function toToolOutcome(outcome: UserCodeOutcome): ToolOutcome {
  if (outcome.kind === "failed") return toFailedTool(outcome);
  const { value, durationMs, output, state, calls } = outcome;
  const response = { result: value };
  keepSpelling(outcome, "value", response, "result");
  return { kind: "answered", response, durationMs, output, state, calls };
}

/** The error envelope of failed user code: the hosted product's prefix (PY-31), cause, file and line. */
export function toFailedTool(outcome: UserCodeFailed): FailedTool {
  const prefix = outcome.cause === "timeout" ? "Code execution timed out" : "Python function execution failed";
  const innermost = outcome.frames.at(-1);
  const place = innermost ? ` (${innermost.filename}, line ${innermost.line})` : "";
  return failed(`${prefix}: ${outcome.error}${place}`, outcome);
}
