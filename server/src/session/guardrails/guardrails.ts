import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { unknownTypeOf } from "#aip";
import { createPauses, definedFields, type JsonObject } from "#base";
import type { ModelPart } from "#models";
import type { PythonArgument } from "#sandbox";
import { failedPrecondition, invalidArgument } from "#status";
import { runInTurn } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { stateValues } from "../state/variables.ts";
import type { OfferedTools } from "../tool-calls/offered-tools.ts";
import { responseText } from "../turn/responses.ts";
import type { NextStep, Turn } from "../turn/turn-context.ts";
import type { CodeStage, GuardrailContext, GuardrailStage, Judgement } from "./guardrail-kind.ts";
import type { PreparedGuardrail } from "./prepare-guardrails.ts";
import { takeAction } from "./trigger-action.ts";

/**
 * Judges the user's input before the active agent sees it, by those of its guardrails that have not judged it yet in this
 * turn (GUARD-1). Returns the step that a triggered guardrail asks for. Guardrails that ask a model are only started: see `InputCheck`.
 */
export async function* guardInput(turn: Turn): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { state, input } = turn;
  refuseBlockedInput(turn);
  const asking: PreparedGuardrail[] = [];
  const pause = createPauses();
  for (const prepared of state.agent.guardrails) {
    await pause();
    if (!state.markJudged(prepared.guardrail)) continue;
    checkUsable(turn, prepared);
    const judgement = await judgeInput(turn, prepared);
    if (judgement?.reason !== undefined) return yield* blockInput(turn, prepared.guardrail);
    if (prepared.judgeByModel && prepared.stages.has("user-input") && input.text !== "") asking.push(prepared);
  }
  if (asking.length > 0) startInputCheck(turn, asking);
  return undefined;
}

/** A guardrail judges an input once, so one that an agent must not see would reach it by the way back of a transfer (GUARD-2). */
function refuseBlockedInput({ state }: Turn): void {
  const guardrail = state.guardrailAgainst(state.agent);
  if (!guardrail) return;
  const [name, agent] = [guardrail.displayName, state.agent.displayName];
  const message = `Guardrail '${name}' keeps this input from agent '${agent}', to which it was transferred, so no agent may answer it.`;
  throw new ModelFailure(
    "input_blocked",
    failedPrecondition(message, { reason: "GUARDRAIL_INPUT_BLOCKED", metadata: { guardrail: name, agent } }),
  );
}

/** Acts on an input that a guardrail keeps from the active agent. */
async function* blockInput(turn: Turn, guardrail: Guardrail): AsyncGenerator<TurnEvent, NextStep> {
  const { agent } = turn.state;
  const next = yield* act(turn, guardrail);
  if (next.kind === "enter-agent") turn.state.passInput(guardrail, agent, next.agent);
  else turn.state.withholdInput();
  return next;
}

/** Refuses every turn with a guardrail that cannot do its work, whether it triggers or not. */
function checkUsable({ spans }: Turn, { guardrail, problems }: PreparedGuardrail): void {
  if (guardrail.guardrailType.case === undefined) {
    const unknown = unknownTypeOf(guardrail, "Guardrail");
    const type = unknown === undefined ? "has no type" : `is of the type '${unknown}', which is not known here`;
    throw failedPrecondition(
      `Guardrail '${guardrail.displayName}' ${type}, so nothing can pass it. Give it a type that is known, or disable it.`,
      { reason: "GUARDRAIL_TYPE_MISSING", metadata: { guardrail: guardrail.name } },
    );
  }
  // The hosted service's words (GUARD-16).
  if (guardrail.action?.action.case === undefined) {
    throw invalidArgument({ field: "", description: "Trigger action type is not supported: ACTION_NOT_SET" });
  }
  for (const problem of problems) spans.warn(`Guardrail '${guardrail.displayName}': ${problem}`);
}

async function judgeInput(turn: Turn, prepared: PreparedGuardrail): Promise<Judgement | undefined> {
  if (prepared.codeStages?.has("user-input")) return judgeByCode(turn, prepared, "user-input", [CONTEXT]);
  if (!prepared.judge || !prepared.stages.has("user-input") || turn.input.text === "") return undefined;
  return judgeText(turn, prepared, "user-input", turn.input.text);
}

const CONTEXT: PythonArgument = { kind: "callback-context" };

/** Asks the models of all of the guardrails at the same time, while the turn continues. */
function startInputCheck(turn: Turn, guardrails: readonly PreparedGuardrail[]): void {
  const stop = new AbortController();
  let passed = false;
  const asked = guardrails.map(async (prepared) => {
    const { reason } = await judgeText(turn, prepared, "user-input", turn.input.text);
    return reason === undefined ? undefined : prepared.guardrail;
  });
  const triggered = Promise.all(asked).then((found) => found.find((guardrail) => guardrail !== undefined));
  turn.state.startInputCheck({ triggered, blocked: stop.signal, passed: () => passed });
  // Whoever awaits the check gets the error; a turn that ends before must not end the process.
  triggered.then(
    (guardrail) => {
      passed = guardrail === undefined;
      if (guardrail) stop.abort();
    },
    () => {},
  );
}

/** Waits until the input has passed; else returns the step that the guardrail asks for. The agent then counts as never run. */
export async function* awaitInputCheck(turn: Turn): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { state } = turn;
  if (!state.inputCheck) return undefined;
  const triggered: Guardrail | undefined = await state.inputCheck.triggered;
  state.endInputCheck();
  if (!triggered) return undefined;
  state.withdrawAgent();
  return yield* blockInput(turn, triggered);
}

/**
 * Judges an answer before the client gets it, with the text that its calls would send (GUARD-4). A triggered guardrail's action takes the
 * answer's place.
 */
export async function* guardResponse(
  turn: Turn,
  parts: readonly ModelPart[],
  offered: Pick<OfferedTools, "byName">,
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  if (turn.state.agent.guardrails.length === 0) return undefined;
  const triggered = await firstTriggered(turn, responseText(parts, offered.byName));
  return triggered && (yield* act(turn, triggered));
}

/** The first of the active agent's guardrails that does not let an answer pass; undefined when all do. */
async function firstTriggered(turn: Turn, text: string): Promise<Guardrail | undefined> {
  if (text === "") return undefined;
  const pause = createPauses();
  for (const prepared of turn.state.agent.guardrails) {
    await pause();
    if (!prepared.stages.has("agent-response")) continue;
    const { reason } = await judgeText(turn, prepared, "agent-response", text);
    if (reason !== undefined) return prepared.guardrail;
  }
  return undefined;
}

/** What a triggered guardrail does. What a model writes in the answer's place is judged like the answer (GUARD-6). */
function act(turn: Turn, guardrail: Guardrail): AsyncGenerator<TurnEvent, NextStep> {
  return takeAction(turn, guardrail, (text) => firstTriggered(turn, text));
}

/** Lets the guardrails' own code judge at a stage. `args` follow the callback context. */
export async function* guardByCode(
  turn: Turn,
  stage: CodeStage,
  args: () => readonly PythonArgument[] = () => [],
): AsyncGenerator<TurnEvent, NextStep | undefined> {
  for (const prepared of turn.state.agent.guardrails) {
    if (!prepared.codeStages?.has(stage)) continue;
    const { reason } = await judgeByCode(turn, prepared, stage, [CONTEXT, ...args()]);
    if (reason !== undefined) return yield* act(turn, prepared.guardrail);
  }
  return undefined;
}

/** A model that stopped its answer for safety triggers the guardrail that set its thresholds. */
export async function* guardSafety(turn: Turn): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const prepared = turn.state.agent.guardrails.find(({ safetySettings }) => safetySettings);
  if (!prepared) return undefined;
  const judgement = { reason: "the model's safety filter stopped the answer" };
  turn.spans.start("Guardrail").end(spanAttributes(turn, prepared, judgement));
  return yield* act(turn, prepared.guardrail);
}

const PASSED: Judgement = { reason: undefined };

/** Judges a text, by rule or by model, with a span. */
async function judgeText(
  turn: Turn,
  prepared: PreparedGuardrail,
  stage: GuardrailStage,
  text: string,
): Promise<Judgement> {
  const span = turn.spans.start("Guardrail");
  const judgement = prepared.judgeByModel
    ? await prepared.judgeByModel(stage, text, contextOf(turn, prepared))
    : ((await prepared.judge?.(stage, text, turn.engine.textThreads.forApp(turn.index.app.name))) ?? PASSED);
  span.end(spanAttributes(turn, prepared, judgement));
  return judgement;
}

/** Runs a guardrail's own code, with a span. */
async function judgeByCode(
  turn: Turn,
  prepared: PreparedGuardrail,
  stage: CodeStage,
  args: readonly PythonArgument[],
): Promise<Judgement> {
  const span = turn.spans.start("Guardrail");
  const judgement = (await prepared.judgeByCode?.(stage, args, contextOf(turn, prepared))) ?? { reason: undefined };
  span.end(spanAttributes(turn, prepared, judgement));
  return judgement;
}

/** The turn as a guardrail may use it. */
function contextOf(turn: Turn, { guardrail }: PreparedGuardrail): GuardrailContext {
  const { request, signal, index, history, variables, engine } = turn;
  return {
    guardrail: guardrail.displayName,
    session: request.session,
    signal,
    model: request.snapshot.modelSettings?.model || index.app.modelSettings?.model || "",
    models: engine.models,
    logger: engine.logger,
    messages: () => history.messages(),
    values: () => stateValues(turn),
    runPython: async (hook) => {
      const outcome = await runInTurn(turn, hook, variables);
      signal.throwIfAborted();
      if (outcome.kind === "returned") variables.apply(outcome.state);
      return outcome;
    },
  };
}

/** What the span of a judgement has (CONV-10). */
function spanAttributes(
  { state }: Turn,
  { guardrail }: PreparedGuardrail,
  { reason, attributes }: Judgement,
): JsonObject {
  return {
    agent: state.agent.displayName,
    name: guardrail.displayName,
    description: guardrail.description,
    type: guardrail.guardrailType.case ?? "",
    triggered: reason !== undefined,
    ...attributes,
    ...definedFields({ reason }),
  };
}
