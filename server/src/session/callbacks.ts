import type { JsonObject, JsonValue } from "#base";
import type { PythonArgument, PythonFrame, PythonOutcome } from "#sandbox";
import type { ToolContext, ToolStateChange } from "#tools";
import type { CallbackStage, PreparedCallback } from "./agent-callbacks.ts";
import type { AgentNode } from "./app-index.ts";
import { pythonContext } from "./python-context.ts";
import type { TurnRun } from "./turn-run.ts";
import type { Variables } from "./variables.ts";

/** One run of a stage's callbacks. */
export interface StageCall<Override> {
  readonly stage: CallbackStage;
  /** Read and written by the callbacks. */
  readonly variables: Variables;
  readonly functionCallId?: string;
  /** The positional arguments, made anew for each callback: a later one sees what an earlier one edited. */
  readonly args: () => readonly PythonArgument[];
  /** Takes over in-place edits, by argument position; unchanged arguments are undefined. */
  readonly edit?: (edited: readonly (JsonValue | undefined)[]) => void;
  /** What a returned value means; undefined = the stage has no use for that type, and the trace says so. */
  readonly accept: (value: JsonValue, returnType: string) => Override | undefined;
  /** Runs only some of the stage's callbacks. Default all. */
  readonly only?: (callback: PreparedCallback) => boolean;
}

/** Limits of a callback: little CPU of its own, but as much time for tools and requests as a tool gets. */
const LIMITS = { cpuMs: 2_000, wallMs: 30_000 };

/**
 * Runs the callbacks of a stage in list order. The first that returns something the stage can use ends it; undefined = go
 * on. A callback that raises counts as not run, its state writes included (ces-runtime 1.7, 1.8).
 */
export async function runCallbacks<Override>(
  turn: TurnRun,
  agent: AgentNode,
  call: StageCall<Override>,
): Promise<Override | undefined> {
  for (const callback of agent.callbacks[call.stage]) {
    if (call.only && !call.only(callback)) continue;
    turn.signal.throwIfAborted();
    const override = await runCallback(turn, agent, callback, call);
    if (override !== undefined) return override;
  }
  return undefined;
}

async function runCallback<Override>(
  turn: TurnRun,
  agent: AgentNode,
  callback: PreparedCallback,
  call: StageCall<Override>,
): Promise<Override | undefined> {
  const span = turn.spans.start("Callback");
  const nested: ToolStateChange[] = [];
  const outcome = await runPython(turn, callback, call, nested);
  const attributes = { agent: agent.displayName, stage: call.stage, description: callback.description };
  if (outcome.kind !== "returned") {
    span.end({ ...attributes, ...outputOf(outcome), ...failureOf(outcome) });
    return undefined;
  }
  for (const change of [...nested, outcome.state]) call.variables.apply(change);
  call.edit?.(outcome.edited);
  const override = outcome.value === null ? undefined : call.accept(outcome.value, outcome.returnType);
  span.end({ ...attributes, ...outputOf(outcome), ...verdictOf(outcome, override !== undefined) });
  return override;
}

function runPython<Override>(
  turn: TurnRun,
  { code, filename, entry }: PreparedCallback,
  { variables, functionCallId, args }: StageCall<Override>,
  nested: ToolStateChange[],
): Promise<PythonOutcome> {
  const context = toolContext(turn, variables, functionCallId);
  return turn.engine.sandbox.run(
    {
      code,
      filename,
      entry,
      positional: args(),
      context: context.python,
      toolNames: [...context.appTools.keys()],
    },
    {
      tenant: context.app,
      turn: context.turn,
      limits: LIMITS,
      onHostCall: turn.engine.tools.hostCalls(context, (change) => nested.push(change)),
      signal: turn.signal,
    },
  );
}

/** What user code, tools and callbacks alike, may use in this turn. */
export function toolContext(turn: TurnRun, variables: Variables, functionCallId?: string): ToolContext {
  return {
    app: turn.index.app.name,
    turn: `${turn.request.session}#${turn.turnIndex}`,
    python: pythonContext(turn, variables, functionCallId),
    appTools: turn.index.toolsByName,
    useFakes: turn.request.config.useToolFakes,
    depth: 0,
    signal: turn.signal,
  };
}

/** Printed lines, for the trace. */
export function outputOf({ output }: Pick<PythonOutcome, "output">): JsonObject {
  return output.length > 0 ? { output: output.map(({ text }) => text) } : {};
}

/** Frames of a traceback, for the trace. */
export function framesOf(frames: readonly PythonFrame[]): JsonObject {
  return frames.length > 0 ? { frames: frames.map((frame) => ({ ...frame })) } : {};
}

function failureOf(outcome: Exclude<PythonOutcome, { kind: "returned" }>): JsonObject {
  if (outcome.kind !== "raised") return { error: `${outcome.kind}: ${outcome.message}` };
  return { error: `${outcome.type}: ${outcome.message}`, ...framesOf(outcome.frames) };
}

function verdictOf({ value, returnType }: Extract<PythonOutcome, { kind: "returned" }>, accepted: boolean): JsonObject {
  if (value === null) return {};
  return accepted ? { overrides: true } : { error: `returned ${returnType}, which this stage cannot use; ignored` };
}
