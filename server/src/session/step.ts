import { invalidArgument } from "#status";
import { actOn } from "./act-on-output.ts";
import { runCallbacks } from "./callbacks.ts";
import type { TurnEvent } from "./contract.ts";
import { guardResponse } from "./guardrails/guard.ts";
import { type AddressedRequest, applyLlmRequest, toLlmRequest } from "./llm-request.ts";
import { callModel, emptyAnswer, type ModelAnswer, mayStream } from "./model-call.ts";
import { fromLlmResponse, type ModelOutput, toLlmResponse } from "./model-output.ts";
import { type OfferedTools, offeredTools, toolsOfferedNow } from "./offered-tools.ts";
import { restoreSignatures } from "./python-content.ts";
import { buildModelRequest } from "./request-processors/request-processors.ts";
import { say } from "./say.ts";
import type { NextStep, TurnRun } from "./turn-run.ts";

/** One pass of the loop: at most one model call, with the callbacks around it and the calls that come of it. */
export async function* runStep(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep> {
  countPass(turn);
  const offered = await toolsOfferedNow(turn);
  const before = await beforeModel(turn, { model: turn.agent.model, request: buildModelRequest(turn, offered) });
  if (before.override && !before.override.partial)
    return yield* deliver(turn, before.override, await offeredTools(turn.agent, turn.index, turn.engine.tools));
  if (before.override) yield* sayFirst(turn, before.override);
  const model = turn.engine.models.resolve(before.sent.model);
  const answer = yield* callModel(turn, model, before.sent.request, mayStream(turn));
  const override = await afterModel(turn, answer);
  if (!override && isEmpty(answer) && !turn.spoke) throw emptyAnswer(model, answer.finish);
  return yield* deliver(turn, override ?? answer, offered, answer.streamed);
}

/** Ten passes an input are what hosted agents get, in these words (ces-runtime 13). */
export function countPass(turn: TurnRun): void {
  turn.signal.throwIfAborted();
  if (turn.passes === turn.engine.maxModelCalls) {
    const description = `Agent has reached the limit of ${turn.engine.maxModelCalls} reasoning loops for the input.`;
    throw invalidArgument({ field: "", description });
  }
  turn.passes += 1;
}

interface BeforeModel {
  /** The request as the callbacks left it. */
  readonly sent: AddressedRequest;
  readonly override: ModelOutput | undefined;
}

async function beforeModel(turn: TurnRun, built: AddressedRequest): Promise<BeforeModel> {
  let sent = built;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "before_model",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }, { kind: "llm-request", value: toLlmRequest(sent) }],
    edit: ([, edited]) => {
      if (edited !== undefined) sent = applyLlmRequest(sent, edited);
    },
    accept: fromLlmResponse,
  });
  return { sent, override };
}

/** Words of a partial response; the model goes on after them, so a call among them would have nobody to answer to. */
async function* sayFirst(turn: TurnRun, { parts }: ModelOutput): AsyncGenerator<TurnEvent, void> {
  for (const part of parts) {
    if (part.kind === "function-call")
      turn.spans.warn(`The call of ${part.name} was not made: it stands in a partial response.`);
  }
  yield* say(turn, parts);
}

/** The output as the callbacks left it; undefined = as the model gave it. */
async function afterModel(turn: TurnRun, answer: ModelAnswer): Promise<ModelOutput | undefined> {
  let current: ModelOutput = answer;
  const signed = (output: ModelOutput) => ({ ...output, parts: restoreSignatures(output.parts, answer.parts) });
  const override = await runCallbacks(turn, turn.agent, {
    stage: "after_model",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }, { kind: "llm-response", value: toLlmResponse(current) }],
    edit: ([, edited]) => {
      const output = edited === undefined ? undefined : fromLlmResponse(edited, "LlmResponse");
      if (output) current = signed(output);
    },
    accept: fromLlmResponse,
  });
  if (override) return signed(override);
  return current === answer ? undefined : current;
}

/** Guardrails of the answer stand between the output and the client. */
async function* deliver(
  turn: TurnRun,
  output: ModelOutput,
  offered: OfferedTools,
  streamed: readonly string[] = [],
): AsyncGenerator<TurnEvent, NextStep> {
  const blocked = yield* guardResponse(turn, output.parts);
  return blocked ?? (yield* actOn(turn, output.parts, offered, streamed));
}

function isEmpty({ parts }: ModelOutput): boolean {
  return parts.every((part) => part.kind === "text" && part.text.trim() === "");
}
