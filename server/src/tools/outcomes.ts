import type { JsonObject } from "#base";
import type { OutputLine, PythonFrame } from "#sandbox";
import type { FailedTool, NestedCall, ToolOutcome, ToolStateChange } from "./contract.ts";
import { NO_CHANGE } from "./merge-changes.ts";
import type { HookFailed, HookOutcome } from "./python-hook.ts";

/** What model and callbacks see of a failed call (ces-runtime 13). */
export function toolError(error: string): JsonObject {
  return { status: "error", error };
}

/** A call that failed before or outside user code. */
export function failed(error: string, record: Partial<FailureRecord> = {}): FailedTool {
  const { durationMs = 0, output = [], state = NO_CHANGE, frames = [], calls = [] } = record;
  return { kind: "failed", response: toolError(error), error, durationMs, output, state, frames, calls };
}

interface FailureRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  readonly frames: readonly PythonFrame[];
  readonly calls: readonly NestedCall[];
}

/** A run of user code as a tool's outcome: its value in `{"result": …}`, or the error envelope. */
export function outcomeOfHook(outcome: HookOutcome): ToolOutcome {
  if (outcome.kind === "failed") return failedHook(outcome);
  const { value, durationMs, output, state, calls } = outcome;
  return { kind: "answered", response: { result: value }, durationMs, output, state, calls };
}

/** The error envelope of a run that failed: a prefix that hosted apps know (ces-runtime 13), the cause, file and line. */
export function failedHook(outcome: HookFailed): FailedTool {
  const prefix = outcome.cause === "timeout" ? "Code execution timed out" : "Python function execution failed";
  const innermost = outcome.frames.at(-1);
  const place = innermost ? ` (${innermost.filename}, line ${innermost.line})` : "";
  return failed(`${prefix}: ${outcome.error}${place}`, outcome);
}
