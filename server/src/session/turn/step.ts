import type { LanguageModel, ModelRequest, Models } from "#models";
import type { PythonArgument } from "#sandbox";
import { ConnectError } from "#status";
import type { AgentNode } from "../app-index.ts";
import {
  type AddressedRequest,
  applyLlmRequest,
  fromLlmResponse,
  type ModelOutput,
  restoreHidden,
  toLlmRequest,
  toLlmResponse,
} from "../callbacks/python-content.ts";
import { runCallbacks } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import { awaitInputCheck, guardByCode, guardResponse, guardSafety } from "../guardrails/guardrails.ts";
import { emptyAnswer, type ModelAnswer, mayStream } from "../model-call/call-model.ts";
import { callModelWithinContext } from "../model-call/fit-context.ts";
import { modelSettingsOf } from "../model-call/model-settings.ts";
import { buildModelRequest, supportedRequest } from "../model-call/request-processors.ts";
import { offeredTools, toolsOfferedNow } from "../tool-calls/offered-tools.ts";
import { countStep } from "./count-step.ts";
import { handleResponse } from "./handle-response.ts";
import type { NextStep, Turn } from "./turn-context.ts";

/** One step of the loop (TURN-2): at most one model call, with the callbacks around it and the tool calls that come of it. */
export async function* runOneStep(turn: Turn): AsyncGenerator<TurnEvent, NextStep> {
  const { state, engine } = turn;
  turn.signal.throwIfAborted();
  countStep(turn);
  const offered = await toolsOfferedNow(turn);
  const early = hasCodeBeforeModel(state.agent) ? yield* awaitInputCheck(turn) : undefined;
  if (early) return early;
  const before = await beforeModel(turn, {
    model: modelSettingsOf(turn).model,
    modelName: (model) => modelNameOf(engine.models, model),
    request: buildModelRequest(turn, offered),
  });
  const stopped = yield* guardByCode(turn, "before-model", () => [toLlmRequest(before.sent)]);
  if (stopped) {
    if (state.isFirstStep && stopped.kind !== "enter-agent") state.withholdInput();
    return stopped;
  }
  if (before.override && endsStep(before.override)) {
    warnOfSilence(turn, "before_model", before.override);
    return yield* handleResponse(turn, before.override.parts, await offeredTools(turn, state.agent));
  }
  const partial = before.override ? yield* respondPartially(turn, before.override) : undefined;
  if (partial) return partial;
  const model = engine.models.resolve(before.sent.model);
  warnOfIgnoredSafety(turn, model, before.sent.request);
  const { answer, blocked } = yield* callGuardedModel(turn, model, supportedRequest(before.sent.request, model));
  if (!answer) return blocked;
  const override = await afterModel(turn, answer);
  if (override) warnOfSilence(turn, "after_model", override);
  if (!override) refuseEmpty(model, answer, state.hasOutput);
  warnOfEnd(turn, model, answer);
  const output = override ?? answer;
  const stoppedAfter = yield* guardByCode(turn, "after-model", () => [
    { kind: "llm-response", value: toLlmResponse(output) },
  ]);
  return stoppedAfter ?? (yield* handleResponse(turn, output.parts, offered, answer.streamed));
}

/** Thresholds that the model does not read block nothing; the trace says so (GUARD-17). The built-in model writes no text of its own. */
function warnOfIgnoredSafety({ spans }: Turn, { label, capabilities }: LanguageModel, request: ModelRequest): void {
  if (!request.safetySettings || capabilities.safetySettings || !capabilities.instructionFollowing) return;
  spans.warn(`model_safety: ${label} takes no safety settings, so the thresholds of the guardrails block nothing.`);
}

/** An answer without anything in it is a failure (TURN-9), unless something was said; one that cannot be read is none even then (TURN-79). */
function refuseEmpty(model: LanguageModel, answer: ModelAnswer, hasOutput: boolean): void {
  if (isEmpty(answer) && (!hasOutput || answer.finish === "malformed")) throw emptyAnswer(model, answer);
}

/** Says in the trace that an answer is not whole, which nobody sees of its words (TURN-79). */
function warnOfEnd({ spans }: Turn, { label }: LanguageModel, { finish, rawFinish }: ModelAnswer): void {
  const why = rawFinish === "" ? "" : ` (${rawFinish})`;
  if (finish === "length") spans.warn(`The answer of ${label} was cut off at its limit of tokens${why}.`);
  if (finish === "malformed") spans.warn(`A part of the answer of ${label} cannot be read, and is left out${why}.`);
  if (finish === "other" && rawFinish !== "") spans.warn(`The answer of ${label} ended for a reason of its own${why}.`);
}

/** Code may well mean to say nothing, and who sees an empty turn has to find where it comes from (TURN-73). */
function warnOfSilence(turn: Turn, stage: string, output: ModelOutput): void {
  if (!isEmpty(output)) return;
  turn.spans.warn(
    `The ${stage} callback of agent '${turn.state.agent.displayName}' left an LlmResponse without anything to say, so the turn ended there.`,
  );
}

/** The model that answers to a name, without its provider; the name itself when none does, which only matters when one is called. */
function modelNameOf(models: Pick<Models, "resolve">, name: string): string {
  try {
    const { label } = models.resolve(name);
    return label.slice(label.indexOf("/") + 1);
  } catch (error) {
    if (error instanceof ConnectError) return name;
    throw error;
  }
}

/** Whether code runs before the model call: it must not see input that may yet be blocked. */
function hasCodeBeforeModel({ callbacks, guardrails }: AgentNode): boolean {
  return callbacks.before_model.length > 0 || guardrails.some(({ codeStages }) => codeStages?.has("before-model"));
}

type GuardedAnswer =
  | { readonly answer: ModelAnswer; readonly blocked?: undefined }
  | { readonly answer?: undefined; readonly blocked: NextStep };

/** Calls the model while guardrails may still judge the input, and returns only what they let through. */
async function* callGuardedModel(
  turn: Turn,
  model: LanguageModel,
  request: ModelRequest,
): AsyncGenerator<TurnEvent, GuardedAnswer> {
  let answer: ModelAnswer;
  try {
    answer = yield* callModelWithinContext(turn, model, request, mayStream(turn));
  } catch (error) {
    const blocked = yield* awaitInputCheck(turn);
    if (blocked) return { blocked };
    throw error;
  }
  const blocked = (yield* awaitInputCheck(turn)) ?? (answer.finish === "safety" ? yield* guardSafety(turn) : undefined);
  return blocked ? { blocked } : { answer };
}

interface BeforeModel {
  /** The request as the callbacks left it. */
  readonly sent: AddressedRequest;
  readonly override: ModelOutput | undefined;
}

/** The before_model callbacks (CB-11): the request as they left it, and the response of one of them in place of the model's. */
async function beforeModel(turn: Turn, built: AddressedRequest): Promise<BeforeModel> {
  let sent = built;
  let shown: PythonArgument | undefined;
  const override = await runCallbacks(turn, turn.state.agent, {
    stage: "before_model",
    variables: turn.variables,
    args: () => {
      shown ??= toLlmRequest(sent);
      return [{ kind: "callback-context" }, shown];
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

/** Whether a callback's response stands for the model call. A partial one is said before it, unless its calls are to be answered first (CB-12). */
function endsStep({ parts, partial }: ModelOutput): boolean {
  return !partial || parts.some(({ kind }) => kind === "function-call");
}

/** Sends a partial response; the model goes on after it. */
async function* respondPartially(turn: Turn, { parts }: ModelOutput): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const blocked = yield* guardResponse(turn, parts, await offeredTools(turn, turn.state.agent));
  if (!blocked) yield* turn.events.respond(parts);
  return blocked;
}

/** The output as the callbacks left it (CB-14); undefined = as the model gave it. */
async function afterModel(turn: Turn, answer: ModelAnswer): Promise<ModelOutput | undefined> {
  let current: ModelOutput = answer;
  const signed = (output: ModelOutput) => ({ ...output, parts: restoreHidden(output.parts, answer.parts) });
  const override = await runCallbacks(turn, turn.state.agent, {
    stage: "after_model",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }, { kind: "llm-response", value: toLlmResponse(current) }],
    edit: ([, edited]) => {
      const output = edited === undefined ? undefined : fromLlmResponse(edited, "LlmResponse");
      if (output) current = signed(output);
    },
    // What the model itself answered is nowhere else when a callback replaces it.
    changed: () => ({ "model output": toLlmResponse(answer).content ?? null }),
    accept: fromLlmResponse,
  });
  if (override) return signed(override);
  return current === answer ? undefined : current;
}

function isEmpty({ parts }: ModelOutput): boolean {
  return parts.every((part) => part.kind === "text" && part.text.trim() === "");
}
