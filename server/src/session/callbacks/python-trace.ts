import type { JsonObject } from "#base";
import type { OutputLine, PythonFrame } from "#sandbox";
import type { NestedCall } from "#tools";

/** Tools called by one piece of code that the trace shows. */
const TRACED_CALLS = 20;

/** Printed and logged lines, and what they were of the tools that the code called, for the trace. */
export function outputOf({ output, calls = [] }: TracedRun): JsonObject {
  return {
    ...(output.length > 0 && { output: output.map(({ text }) => text) }),
    ...(calls.length > 0 && { calls: calls.slice(0, TRACED_CALLS).map(nestedCall) }),
  };
}

interface TracedRun {
  readonly output: readonly OutputLine[];
  readonly calls?: readonly NestedCall[];
}

/** Without arguments and answers, which the code around it may pass on at will. */
function nestedCall({ name, outcome }: NestedCall): JsonObject {
  return {
    name,
    ...outputOf(outcome),
    ...(outcome.kind === "failed" && { error: outcome.error, ...framesOf(outcome.frames) }),
  };
}

/** Frames of a traceback, for the trace. */
export function framesOf(frames: readonly PythonFrame[]): JsonObject {
  return frames.length > 0 ? { frames: frames.map((frame) => ({ ...frame })) } : {};
}
