import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import { collectSources, type UserCodeFailed, type UserCodeReturned } from "#tools";
import type { AgentNode } from "../app-index.ts";
import type { Variables } from "../state/variables.ts";
import { pythonAttributes, type Spans, tracebackAttributes } from "../trace.ts";
import type { TurnState } from "../turn/turn-state.ts";
import type { CallbackStage, PreparedCallback } from "./agent-callbacks.ts";
import { CallbackNotRun, couldNotRun } from "./callback-not-run.ts";
import { runInTurn, type UserCodeTurn } from "./user-code.ts";

/** A turn as its callbacks need it. */
export interface CallbackTurn extends UserCodeTurn {
  readonly state: UserCodeTurn["state"] & Pick<TurnState, "addSources">;
  readonly spans: Spans;
}

/** One run of a stage's callbacks. */
interface StageCall<Override> {
  readonly stage: CallbackStage;
  /** Read and written by the callbacks. */
  readonly variables: Variables;
  readonly functionCallId?: string;
  /** The positional arguments, made anew for each callback: a later one sees what an earlier one edited. */
  readonly args: () => readonly PythonArgument[];
  /** Takes over in-place edits (CB-6), by argument position; unchanged arguments are undefined. */
  readonly edit?: (edited: readonly (JsonValue | undefined)[]) => void;
  /** What a returned value means; undefined = the stage cannot use that type, which the trace shows. */
  readonly accept: (value: JsonValue, returnType: string) => Override | undefined;
  /** What the span of a callback that has changed or replaced something has besides. Default nothing. */
  readonly changed?: () => JsonObject;
  /** Runs only some of the stage's callbacks. Default all. */
  readonly only?: (callback: PreparedCallback) => boolean;
}

/**
 * Runs the callbacks of a stage in list order. The first that returns something the stage can use ends it; undefined = go
 * on. A callback that raises counts as not run, its state writes included (CB-4, CB-7). One that could not run rejects with
 * `CallbackNotRun`, because it may be there to stop what comes next (CB-21).
 */
export async function runCallbacks<Override>(
  turn: CallbackTurn,
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
  turn: CallbackTurn,
  agent: AgentNode,
  callback: PreparedCallback,
  call: StageCall<Override>,
): Promise<Override | undefined> {
  const span = turn.spans.start("Callback");
  const { code, filename, entry } = callback;
  const hook = { code, filename, entry, positional: call.args() };
  const outcome = await runInTurn(turn, hook, call.variables, call.functionCallId);
  const attributes = { agent: agent.displayName, stage: call.stage, description: callback.description };
  if (outcome.kind === "failed") {
    span.end({ ...attributes, ...pythonAttributes(outcome), ...failureAttributes(outcome, filename) });
    turn.signal.throwIfAborted();
    if (GUARDING_STAGES.has(call.stage) && couldNotRun(outcome))
      throw new CallbackNotRun(agent.displayName, call.stage, filename, outcome);
    return undefined;
  }
  call.variables.apply(outcome.state);
  turn.state.addSources(collectSources(outcome));
  call.edit?.(outcome.edited);
  const override = outcome.value === null ? undefined : call.accept(outcome.value, outcome.returnType);
  const changed = override !== undefined || outcome.edited.some((value) => value !== undefined);
  const overriding = overrideAttributes(outcome, override !== undefined, filename);
  span.end({ ...attributes, ...pythonAttributes(outcome), ...overriding, ...(changed && call.changed?.()) });
  return override;
}

/** All that can stop something. What after_agent callbacks return is only added to an answer that the client has. */
const GUARDING_STAGES: ReadonlySet<CallbackStage> = new Set([
  "before_agent",
  "before_model",
  "after_model",
  "before_tool",
  "after_tool",
]);

/** With the file, which a traceback names itself (CB-23). */
function failureAttributes({ cause, error, frames }: UserCodeFailed, file: string): JsonObject {
  const place = frames.length > 0 ? tracebackAttributes(frames) : { file };
  return { error: cause === "raised" ? error : `${cause}: ${error}`, ...place };
}

function overrideAttributes({ value, returnType }: UserCodeReturned, accepted: boolean, file: string): JsonObject {
  if (value === null || (!accepted && isOk(value))) return {};
  return accepted
    ? { overrides: true }
    : { error: `returned ${returnType}, which this stage cannot use; ignored`, file };
}

/** Code that serves as a guardrail's and as a callback says `OK` to go on (CB-8). */
function isOk(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.decision === "string" && value.decision.toUpperCase() === "OK";
}
