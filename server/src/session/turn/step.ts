import type { JsonObject } from "#base";
import type { LanguageModel, ModelPart, ModelRequest } from "#models";
import { invalidArgument } from "#status";
import type { AgentNode } from "../app-index.ts";
import { runCallbacks } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import { guardByCode, guardResponse, guardSafety } from "../guardrails/guard.ts";
import { releaseInput } from "../guardrails/held-input.ts";
import { type AddressedRequest, applyLlmRequest, toLlmRequest } from "../model-call/llm-request.ts";
import { callModel, emptyAnswer, type ModelAnswer, mayStream } from "../model-call/model-call.ts";
import { fromLlmResponse, type ModelOutput, toLlmResponse } from "../model-call/model-output.ts";
import { restoreSignatures } from "../model-call/python-content.ts";
import { supportedRequest } from "../model-call/request-processors/dialogue-context.ts";
import { buildModelRequest } from "../model-call/request-processors/request-processors.ts";
import { type OfferedTools, offeredTools, toolsOfferedNow } from "../tool-calls/offered-tools.ts";
import { actOn } from "./act-on-output.ts";
import { say } from "./events.ts";
import type { NextStep, TurnRun } from "./turn-context.ts";

/** One pass of the loop (TURN-2): at most one model call, with the callbacks around it and the calls that come of it. */
export async function* runStep(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep> {
  countPass(turn);
  const offered = await toolsOfferedNow(turn);
  const early = codeComesFirst(turn.agent) ? yield* releaseInput(turn) : undefined;
  if (early) return early;
  const before = await beforeModel(turn, { model: turn.agent.model, request: buildModelRequest(turn, offered) });
  const stopped = yield* guardByCode(turn, "before-model", () => [
    { kind: "llm-request", value: toLlmRequest(before.sent) },
  ]);
  if (stopped) return stopped;
  if (before.override && !before.override.partial)
    return yield* deliver(turn, before.override.parts, await offeredTools(turn, turn.agent));
  const unsaid = before.override ? yield* sayFirst(turn, before.override) : undefined;
  if (unsaid) return unsaid;
  const model = turn.engine.models.resolve(before.sent.model);
  const { answer, blocked } = yield* callGuardedModel(turn, model, supportedRequest(before.sent.request, model));
  if (!answer) return blocked;
  const override = await afterModel(turn, answer);
  if (!override && isEmpty(answer) && !turn.spoke) throw emptyAnswer(model, answer.finish);
  const output = override ?? answer;
  const unfit = yield* guardByCode(turn, "after-model", () => [{ kind: "llm-response", value: toLlmResponse(output) }]);
  return unfit ?? (yield* deliver(turn, output.parts, offered, answer.streamed));
}

/** Whether code runs around the model call: it must not see words that may yet be blocked. */
function codeComesFirst({ callbacks, guardrails }: AgentNode): boolean {
  return callbacks.before_model.length > 0 || guardrails.some(({ codeStages }) => codeStages?.has("before-model"));
}

type GuardedAnswer =
  | { readonly answer: ModelAnswer; readonly blocked?: undefined }
  | { readonly answer?: undefined; readonly blocked: NextStep };

/** Calls the model while guardrails may still judge the input, and answers only what they let through. */
async function* callGuardedModel(
  turn: TurnRun,
  model: LanguageModel,
  request: ModelRequest,
): AsyncGenerator<TurnEvent, GuardedAnswer> {
  let answer: ModelAnswer;
  try {
    answer = yield* callModel(turn, model, request, mayStream(turn));
  } catch (error) {
    const blocked = yield* releaseInput(turn);
    if (blocked) return { blocked };
    throw error;
  }
  const blocked = (yield* releaseInput(turn)) ?? (answer.finish === "safety" ? yield* guardSafety(turn) : undefined);
  return blocked ? { blocked } : { answer };
}

/** Ten passes an input are what hosted agents get, in these words (TURN-3). */
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

/** The before_model callbacks (CB-11): the request as they left it, and the response of one of them in place of the model's. */
async function beforeModel(turn: TurnRun, built: AddressedRequest): Promise<BeforeModel> {
  let sent = built;
  let shown: JsonObject | undefined;
  const override = await runCallbacks(turn, turn.agent, {
    stage: "before_model",
    variables: turn.variables,
    args: () => {
      shown ??= toLlmRequest(sent);
      return [{ kind: "callback-context" }, { kind: "llm-request", value: shown }];
    },
    edit: ([, edited]) => {
      if (edited === undefined) return;
      sent = applyLlmRequest(sent, edited);
      shown = undefined;
    },
    accept: fromLlmResponse,
  });
  return { sent, override };
}

/** Words of a partial response; the model goes on after them, so a call among them would have nobody to answer to. */
async function* sayFirst(turn: TurnRun, { parts }: ModelOutput): AsyncGenerator<TurnEvent, NextStep | undefined> {
  for (const part of parts) {
    if (part.kind === "function-call")
      turn.spans.warn(`The call of ${part.name} was not made: it stands in a partial response.`);
  }
  const said = parts.filter(({ kind }) => kind !== "function-call");
  const blocked = yield* guardResponse(turn, said, await offeredTools(turn, turn.agent));
  if (!blocked) yield* say(turn, said);
  return blocked;
}

/** The output as the callbacks left it (CB-14); undefined = as the model gave it. */
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
    // What the model itself said is nowhere else when a callback puts other words in its place.
    changed: () => ({ "model output": toLlmResponse(answer).content ?? null }),
    accept: fromLlmResponse,
  });
  if (override) return signed(override);
  return current === answer ? undefined : current;
}

/** Guardrails of the answer stand between the output and the client. */
export async function* deliver(
  turn: TurnRun,
  parts: readonly ModelPart[],
  offered: OfferedTools,
  streamed: readonly string[] = [],
): AsyncGenerator<TurnEvent, NextStep> {
  const blocked = yield* guardResponse(turn, parts, offered);
  return blocked ?? (yield* actOn(turn, parts, offered, streamed));
}

function isEmpty({ parts }: ModelOutput): boolean {
  return parts.every((part) => part.kind === "text" && part.text.trim() === "");
}
