import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { DialogueCase, ModelRequest } from "../contract.ts";
import type { Action, ActionCall } from "./action.ts";
import { type Bindings, contains, createBindings, leavesOf } from "./bindings.ts";
import { type Step, stepsOf, TRANSFER } from "./conversation.ts";
import { similarity } from "./similarity.ts";
import { tellResponse } from "./telling.ts";

/** From this similarity on, two texts of the user mean the same turn of a case. */
const SAME_TEXT = 0.7;

type Response = Extract<Step, { kind: "response" }>;

/** A case laid over the conversation: how far it reaches, and what a recorded value is now. */
interface Alignment {
  readonly name: string;
  readonly matched: number;
  readonly likeness: number;
  readonly next: readonly Step[];
  readonly bindings: Bindings;
  /** The responses since the user spoke, each with the recorded one where the case has it. */
  readonly responses: readonly { readonly recorded?: Response; readonly actual: Response }[];
}

/** Decides by example, or not at all. */
export interface CaseBase {
  /** The next action of the longest case whose prefix matches the end of the conversation, with its values re-bound. */
  nextAction(request: ModelRequest, steps: readonly Step[]): Action | undefined;
}

/** A case base; what it derives from a case is kept as long as the case. */
export function createCaseBase(): CaseBase {
  const recordedSteps = new WeakMap<DialogueCase, readonly Step[]>();

  function stepsOfCase(dialogueCase: DialogueCase): readonly Step[] {
    const known = recordedSteps.get(dialogueCase);
    if (known !== undefined) return known;
    const steps = stepsOf(dialogueCase.messages);
    recordedSteps.set(dialogueCase, steps);
    return steps;
  }

  return {
    nextAction(request, steps) {
      const starts = steps.flatMap((step, position) => (step.kind === "user" ? [position] : []));
      const alignments = (request.hints?.cases ?? []).flatMap((dialogueCase) =>
        starts.flatMap(
          (start) => align(dialogueCase.name, stepsOfCase(dialogueCase), steps.slice(start), request) ?? [],
        ),
      );
      alignments.sort((left, right) => right.matched - left.matched || right.likeness - left.likeness);
      for (const alignment of alignments) {
        const action = actionOf(alignment, request, steps);
        if (action !== undefined) return action;
      }
      return undefined;
    },
  };
}

/**
 * Lays a case over the conversation. What the agent said is not compared (callbacks and values change it); what the user
 * said, what was called and what answered is. Transfers and responses may be missing on either side: goldens leave them out.
 */
function align(
  name: string,
  recorded: readonly Step[],
  actual: readonly Step[],
  request: ModelRequest,
): Alignment | undefined {
  const bindings = createBindings();
  let responses: { recorded?: Response; actual: Response }[] = [];
  let at = firstUserStep(recorded, isEvent(actual[0]));
  let matched = 0;
  let likeness = 0;
  for (const step of actual) {
    if (step.kind === "say" || step.kind === "blob") continue;
    if (step.kind === "response" && step.name === TRANSFER) continue;
    at = skip(recorded, at, step);
    const expected = recorded[at];
    if (step.kind === "user") {
      if (expected?.kind !== "user") return undefined;
      const alike = similarity(expected.text, step.text);
      if (alike < SAME_TEXT) return undefined;
      bindings.bindTexts(expected.text, step.text);
      likeness += alike;
      responses = [];
    } else if (step.kind === "response") {
      const pair =
        expected?.kind === "response" && expected.name === step.name
          ? { recorded: expected, actual: step }
          : { actual: step };
      responses.push(pair);
      if (pair.recorded === undefined) continue;
      bindings.bindLeaves(pair.recorded.response, step.response);
    } else if (expected?.kind === "call" && expected.name === step.name) {
      bindings.bindLeaves(expected.args, step.args);
    } else if (step.name === TRANSFER) {
      continue;
    } else {
      return undefined;
    }
    matched += 1;
    at += 1;
  }
  return { name, matched, likeness, next: nextOf(recorded, at, request.hints?.agentName ?? ""), bindings, responses };
}

/** A golden may open with a session start where this conversation, or the part of it that is compared, opens with words. */
function firstUserStep(recorded: readonly Step[], withEvent: boolean): number {
  const first = recorded.findIndex((step) => step.kind === "user" && (withEvent || !isEvent(step)));
  return first < 0 ? recorded.length : first;
}

function isEvent(step: Step | undefined): boolean {
  return step?.kind === "user" && step.text.startsWith("<event>");
}

/** Passes over recorded words of the agent, and over recorded transfers and responses that did not happen here. */
function skip(recorded: readonly Step[], from: number, actual: Step): number {
  let at = from;
  for (let step = recorded[at]; step !== undefined; step = recorded[at]) {
    const absent = actual.kind === "user" && step.kind === "response";
    const transfer =
      step.kind !== "user" &&
      "name" in step &&
      step.name === TRANSFER &&
      !(actual.kind === "call" && actual.name === TRANSFER);
    if (step.kind !== "say" && !absent && !transfer) return at;
    at += 1;
  }
  return at;
}

/**
 * What the case has the agent do next: words, then calls. Words after a call belong to its response, even where a golden
 * leaves the response out. A transfer to the agent that speaks is over.
 */
function nextOf(recorded: readonly Step[], from: number, agentName: string): readonly Step[] {
  const next: Step[] = [];
  for (const step of recorded.slice(from)) {
    const arrived =
      "name" in step && step.name === TRANSFER && (step.kind === "response" || targetOf(step) === agentName);
    if (arrived) continue;
    if (step.kind !== "call" && (step.kind !== "say" || next.some(({ kind }) => kind === "call"))) break;
    next.push(step);
    if (step.kind === "call" && step.name === TRANSFER) break;
  }
  return next;
}

function targetOf(step: Step): JsonValue | undefined {
  return step.kind === "call" ? (step.args.agent_name ?? step.args.agent) : undefined;
}

function actionOf(alignment: Alignment, request: ModelRequest, steps: readonly Step[]): Action | undefined {
  const calls = alignment.next.flatMap((step) =>
    step.kind === "call" ? [reboundCall(step, alignment.bindings, request.hints?.state ?? {})] : [],
  );
  const said = alignment.next.flatMap((step) => (step.kind === "say" ? [step.text] : [])).join("\n");
  if (calls.length === 0 && said === "") return undefined;
  if (calls.some((call) => call === undefined || !isCallable(call, request) || alreadyMade(call, steps)))
    return undefined;
  const text = alignment.responses.length === 0 ? reboundText(said, alignment) : reboundTelling(said, alignment);
  if (text === undefined && calls.length === 0) return undefined;
  return { reason: `case:${alignment.name}`, text: text ?? "", calls: calls.flatMap((made) => made ?? []) };
}

function reboundCall(
  step: Extract<Step, { kind: "call" }>,
  bindings: Bindings,
  state: JsonObject,
): ActionCall | undefined {
  const args: JsonObject = {};
  for (const [name, recorded] of Object.entries(step.args)) {
    const value = withoutMatcher(recorded);
    if (value === undefined) continue;
    const now = bindings.rebind(value);
    if (leavesOf(value).some(([, leaf]) => bindings.isLost(leaf))) return undefined;
    const variable = state[name];
    const fromState =
      JSON.stringify(now) === JSON.stringify(value) &&
      variable !== undefined &&
      variable !== null &&
      variable !== "" &&
      typeof variable === typeof value;
    args[name] = fromState ? variable : now;
  }
  return { name: step.name, args };
}

/** A golden's argument may be a matcher; its original value is what was called with (app-package 13). */
function withoutMatcher(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) && "$matchType" in value ? value.$originalValue : value;
}

function isCallable(call: ActionCall, request: ModelRequest): boolean {
  if (call.name !== TRANSFER) return request.tools.some((tool) => tool.name === call.name);
  return (request.hints?.transferTargets ?? []).some(({ name }) => name === call.args.agent_name);
}

function alreadyMade(call: ActionCall, steps: readonly Step[]): boolean {
  const sinceUser = steps.slice(steps.findLastIndex((step) => step.kind === "user") + 1);
  return sinceUser.some(
    (step) =>
      step.kind === "call" && step.name === call.name && JSON.stringify(step.args) === JSON.stringify(call.args),
  );
}

function reboundText(said: string, { bindings }: Alignment): string | undefined {
  return said === "" ? undefined : String(bindings.rebind(said));
}

/**
 * Recorded words after a response are only true when they say every value that is different now, or when nothing is
 * different. Otherwise the response is told from its own JSON, and so is one that the case does not have.
 */
function reboundTelling(said: string, alignment: Alignment): string | undefined {
  if (said === "") return undefined;
  if (
    alignment.responses.every(
      ({ recorded, actual }) => recorded !== undefined && isSaid(said, recorded.response, actual.response),
    )
  ) {
    return reboundText(said, alignment);
  }
  return alignment.responses.map(({ actual }) => tellResponse(actual.name, actual.response)).join(" ");
}

function isSaid(said: string, recorded: JsonObject, actual: JsonObject): boolean {
  const now = new Map(leavesOf(actual));
  const then = leavesOf(recorded);
  return (
    now.size === then.length &&
    then.every(([path, value]) => now.has(path) && (now.get(path) === value || contains(said, String(value))))
  );
}
