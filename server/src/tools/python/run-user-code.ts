import type { JsonObject, JsonValue } from "#base";
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
 * One call of user code: a Python tool, a callback, a fake, a transfer rule's condition, a guardrail's code, a widget's data
 * mapping. They differ in entry point and arguments only (PY-3).
 */
export interface UserCodeCall {
  readonly code: string;
  /** Where an exported app keeps the file: what tracebacks show. */
  readonly filename: string;
  /** The function to call; "" = the first one of the file. A file without it fails with a NameError that lists what it has. */
  readonly entry: string;
  /** Arguments in the documented order: code may name its parameters as it likes. */
  readonly positional?: readonly PythonArgument[];
  /** Arguments by name, as tools take them. */
  readonly keyword?: JsonObject;
  readonly context: ToolContext;
  /** The tool call that this code serves, if any. */
  readonly functionCallId?: string;
  /** Default: 2 s of processor, 30 s with tools and requests. */
  readonly limits?: PythonLimits;
}

interface UserCodeRecord {
  readonly durationMs: number;
  /** What the code printed and logged. */
  readonly output: readonly OutputLine[];
  /** What changed of the variables, by the code and by tools it called; its own writes overrule theirs. */
  readonly state: ToolStateChange;
  /** Tools that the code called, in the order in which they ended. */
  readonly calls: readonly NestedCall[];
}

/** A call that came back. */
export interface UserCodeReturned extends UserCodeRecord {
  readonly kind: "returned";
  /** The value as JSON; `None` is null. */
  readonly value: JsonValue;
  /** Name of its Python type: `None`, `bool`, `dict`, `Content`, … */
  readonly returnType: string;
  /** Positional arguments after the call, in order; those that were not edited in place are undefined. */
  readonly edited: readonly (JsonValue | undefined)[];
}

/** A call that raised, or was ended from outside. Whether `state` still counts is for the caller to say. */
export interface UserCodeFailed extends UserCodeRecord {
  readonly kind: "failed";
  readonly cause: Exclude<PythonOutcome["kind"], "returned">;
  /** Name of the exception's class; "" for a call that was ended. */
  readonly type: string;
  /** What the exception says, or why the call was ended. */
  readonly message: string;
  /** Both in one: `KeyError: 'x'`. */
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

/** Limits of a hook: little CPU of its own, but as much time for tools and requests as a tool gets (CB-20). */
export const CALLBACK_LIMITS: PythonLimits = Object.freeze({ cpuMs: 2_000, wallMs: 30_000 });

/** Runs user code in the conversation of `context`, with the app's tools and HTTP at hand. Never throws for what the code did. */
export async function runUserCode(call: UserCodeCall, { sandbox, tools }: UserCodeDeps): Promise<UserCodeOutcome> {
  const { context, functionCallId, limits = CALLBACK_LIMITS } = call;
  const calls: NestedCall[] = [];
  const run = await sandbox.run(
    {
      code: call.code,
      filename: call.filename,
      entry: call.entry,
      ...(call.positional && { positional: call.positional }),
      ...(call.keyword && { keyword: call.keyword }),
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

/** A copy works out all that the context holds as getters, so none is made when the id is the same. */
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
    return { ...record, kind: "returned", value, returnType, edited, state: mergeChanges([...nested, run.state]) };
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

/** A run of user code as a tool's outcome: its value in `{"result": …}`, or the error envelope. */
export function toToolOutcome(outcome: UserCodeOutcome): ToolOutcome {
  if (outcome.kind === "failed") return toFailedTool(outcome);
  const { value, durationMs, output, state, calls } = outcome;
  return { kind: "answered", response: { result: value }, durationMs, output, state, calls };
}

/** The error envelope of a run that failed: a prefix that hosted apps know (PY-31), the cause, file and line. */
export function toFailedTool(outcome: UserCodeFailed): FailedTool {
  const prefix = outcome.cause === "timeout" ? "Code execution timed out" : "Python function execution failed";
  const innermost = outcome.frames.at(-1);
  const place = innermost ? ` (${innermost.filename}, line ${innermost.line})` : "";
  return failed(`${prefix}: ${outcome.error}${place}`, outcome);
}
