import type { JsonObject } from "#base";
import type { OutputLine, PythonFrame, PythonOutcome } from "#sandbox";
import type { ToolOutcome, ToolStateChange } from "./contract.ts";

/** No variable changed. */
export const NO_CHANGE: ToolStateChange = Object.freeze({ set: Object.freeze({}), removed: Object.freeze([]) });

/** What model and callbacks see of a failed call (ces-runtime 13). */
export function toolError(error: string): JsonObject {
  return { status: "error", error };
}

/** A call that failed before or outside user code. */
export function failed(error: string, record: Partial<FailureRecord> = {}): ToolOutcome {
  const { durationMs = 0, output = [], state = NO_CHANGE, frames = [] } = record;
  return { kind: "failed", response: toolError(error), error, durationMs, output, state, frames };
}

interface FailureRecord {
  readonly durationMs: number;
  readonly output: readonly OutputLine[];
  readonly state: ToolStateChange;
  readonly frames: readonly PythonFrame[];
}

/**
 * A Python run as a tool's outcome: the value in `{"result": …}`, or the error envelope with the prefixes that hosted apps
 * know. `nested` are the changes of tools it called, which its own writes overrule.
 */
export function outcomeOfPython(run: PythonOutcome, nested: readonly ToolStateChange[]): ToolOutcome {
  const { durationMs, output } = run;
  switch (run.kind) {
    case "returned":
      return {
        kind: "answered",
        response: { result: run.value },
        durationMs,
        output,
        state: mergeChanges([...nested, run.state]),
      };
    case "raised": {
      const error = `Python function execution failed: ${run.type}: ${run.message}`;
      return failed(error, { durationMs, output, state: mergeChanges([...nested, run.state]), frames: run.frames });
    }
    case "timeout":
      return failed(`Code execution timed out: ${run.message}`, { durationMs, output, state: mergeChanges(nested) });
    default:
      return failed(`Python function execution failed: ${run.message}`, {
        durationMs,
        output,
        state: mergeChanges(nested),
      });
  }
}

/** Several changes as one: by key, the last writer wins (ces-runtime 13.1). */
export function mergeChanges(changes: readonly ToolStateChange[]): ToolStateChange {
  if (changes.length <= 1) return changes[0] ?? NO_CHANGE;
  const set: JsonObject = {};
  const removed = new Set<string>();
  for (const change of changes) {
    for (const name of change.removed) {
      delete set[name];
      removed.add(name);
    }
    for (const [name, value] of Object.entries(change.set)) {
      set[name] = value;
      removed.delete(name);
    }
  }
  return { set, removed: [...removed] };
}
