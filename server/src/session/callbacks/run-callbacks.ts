import type { JsonObject, JsonValue } from "#base";
import type { PythonArgument } from "#sandbox";
import {
  runUserCode,
  type ToolContext,
  type UserCodeFailed,
  type UserCodeOutcome,
  type UserCodeReturned,
} from "#tools";
import type { AgentNode } from "../app-index.ts";
import { channelOf } from "../channel.ts";
import type { Variables } from "../state/variables.ts";
import { lastResponse } from "../tool-calls/last-response.ts";
import { agentRunner } from "../tool-calls/run-agent.ts";
import { noteSources } from "../turn/cite-sources.ts";
import type { TurnRun } from "../turn/turn-context.ts";
import type { CallbackStage, PreparedCallback } from "./agent-callbacks.ts";
import { pythonContext } from "./python-context.ts";
import { framesOf, outputOf } from "./python-trace.ts";

/** One run of a stage's callbacks. */
export interface StageCall<Override> {
  readonly stage: CallbackStage;
  /** Read and written by the callbacks. */
  readonly variables: Variables;
  readonly functionCallId?: string;
  /** The positional arguments, made anew for each callback: a later one sees what an earlier one edited. */
  readonly args: () => readonly PythonArgument[];
  /** Takes over in-place edits (CB-6), by argument position; unchanged arguments are undefined. */
  readonly edit?: (edited: readonly (JsonValue | undefined)[]) => void;
  /** What a returned value means; undefined = the stage has no use for that type, and the trace says so. */
  readonly accept: (value: JsonValue, returnType: string) => Override | undefined;
  /** What the trace tells of what a callback has changed or replaced. Default nothing. */
  readonly changed?: () => JsonObject;
  /** Runs only some of the stage's callbacks. Default all. */
  readonly only?: (callback: PreparedCallback) => boolean;
}

/**
 * Runs the callbacks of a stage in list order. The first that returns something the stage can use ends it; undefined = go
 * on. A callback that raises counts as not run, its state writes included (CB-4, CB-7).
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
  const outcome = await runPython(turn, callback, call);
  const attributes = { agent: agent.displayName, stage: call.stage, description: callback.description };
  if (outcome.kind === "failed") {
    span.end({ ...attributes, ...outputOf(outcome), ...failureOf(outcome) });
    return undefined;
  }
  call.variables.apply(outcome.state);
  noteSources(turn, outcome);
  call.edit?.(outcome.edited);
  const override = outcome.value === null ? undefined : call.accept(outcome.value, outcome.returnType);
  const changed = override !== undefined || outcome.edited.some((value) => value !== undefined);
  const verdict = verdictOf(outcome, override !== undefined);
  span.end({ ...attributes, ...outputOf(outcome), ...verdict, ...(changed && call.changed?.()) });
  return override;
}

function runPython<Override>(
  turn: TurnRun,
  { code, filename, entry }: PreparedCallback,
  { variables, functionCallId, args }: StageCall<Override>,
): Promise<UserCodeOutcome> {
  const context = toolContext(turn, variables, functionCallId);
  return runUserCode({ code, filename, entry, positional: args(), context }, turn.engine);
}

/** What user code, tools and callbacks alike, may use in this turn. */
export function toolContext(turn: TurnRun, variables: Variables, functionCallId?: string): ToolContext {
  const { channel, modality } = channelOf(turn.request);
  return {
    app: turn.index.app.name,
    turn: `${turn.request.session}#${turn.turnIndex}`,
    python: pythonContext(turn, variables, functionCallId),
    appTools: turn.index.toolsByName,
    appToolsets: [...turn.index.toolsets.values()],
    settings: turn.index.app,
    voice: channel === "telephony" || modality === "voice",
    model: turn.agent.model,
    useFakes: turn.request.config.useToolFakes,
    lastResponse: (tool) => lastResponse(turn, tool),
    runAgent: (agent, request, signal) => agentRunner(turn)(agent, request, signal),
    depth: 0,
    signal: turn.signal,
  };
}

function failureOf({ cause, error, frames }: UserCodeFailed): JsonObject {
  return { error: cause === "raised" ? error : `${cause}: ${error}`, ...framesOf(frames) };
}

function verdictOf({ value, returnType }: UserCodeReturned, accepted: boolean): JsonObject {
  if (value === null) return {};
  return accepted ? { overrides: true } : { error: `returned ${returnType}, which this stage cannot use; ignored` };
}
