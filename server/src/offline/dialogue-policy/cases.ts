import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { DialogueExample, ModelRequest } from "#models";
import type { Action, ActionCall } from "./action.ts";
import { type Alignment, align } from "./alignment.ts";
import { type Bindings, contains, leavesOf } from "./bindings.ts";
import { type Step, stepsOf, TRANSFER } from "./conversation.ts";
import { createSimilarity } from "./similarity.ts";
import { tellResponse } from "./telling.ts";

/** Decides by example, or not at all. */
export interface CaseBase {
  /** The next action of the longest case whose prefix matches the end of the conversation, with its values re-bound. */
  nextAction(request: ModelRequest, steps: readonly Step[]): Action | undefined;
}

/** A case base; what it derives from a case is kept as long as the case. */
export function createCaseBase(): CaseBase {
  const recordedSteps = new WeakMap<DialogueExample, readonly Step[]>();
  const similarity = createSimilarity();

  function stepsOfCase(dialogueCase: DialogueExample): readonly Step[] {
    const known = recordedSteps.get(dialogueCase);
    if (known !== undefined) return known;
    const steps = stepsOf(dialogueCase.messages);
    recordedSteps.set(dialogueCase, steps);
    return steps;
  }

  return {
    nextAction(request, steps) {
      const cases = request.dialogueContext?.examples ?? [];
      if (cases.length === 0) return undefined;
      const endings = steps.flatMap((step, position) => (step.kind === "user" ? [steps.slice(position)] : []));
      const fits = cases.flatMap((dialogueCase) => {
        const recorded = stepsOfCase(dialogueCase);
        return endings.flatMap((ending) => {
          const alignment = align(recorded, ending, {
            agentName: request.dialogueContext?.agentName ?? "",
            similarity,
          });
          return alignment === undefined ? [] : [{ name: dialogueCase.name, alignment }];
        });
      });
      fits.sort(
        (left, right) =>
          right.alignment.matched - left.alignment.matched || right.alignment.likeness - left.alignment.likeness,
      );
      for (const { name, alignment } of fits) {
        const action = actionOf(name, alignment, request, steps);
        if (action !== undefined) return action;
      }
      return undefined;
    },
  };
}

/** What the case does next, or undefined where it cannot be done here: a function is not offered, a value is not known, nothing is left to do. */
function actionOf(
  name: string,
  alignment: Alignment,
  request: ModelRequest,
  steps: readonly Step[],
): Action | undefined {
  const { next, bindings, responses } = alignment;
  const recorded = next.flatMap((step) => (step.kind === "call" ? [step] : []));
  const calls = recorded.flatMap((step) => reboundCall(step, bindings, request.dialogueContext?.state ?? {}) ?? []);
  if (calls.length < recorded.length || calls.some((call) => !isCallable(call, request) || alreadyMade(call, steps)))
    return undefined;
  const said = next.flatMap((step) => (step.kind === "say" ? [step.text] : [])).join("\n");
  const text = responses.length === 0 ? String(bindings.rebind(said)) : reboundTelling(said, alignment);
  return text === "" && calls.length === 0 ? undefined : { reason: `case:${name}`, text, calls };
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
    const known = variable !== undefined && variable !== null && variable !== "" && typeof variable === typeof value;
    args[name] = known && !bindings.isBound(value) ? variable : now;
  }
  return { name: step.name, args };
}

/** A golden's argument may be a matcher; its original value is what was called with (EVAL-2). */
function withoutMatcher(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) && "$matchType" in value ? value.$originalValue : value;
}

function isCallable(call: ActionCall, request: ModelRequest): boolean {
  if (call.name !== TRANSFER) return request.tools.some((tool) => tool.name === call.name);
  return (request.dialogueContext?.transferTargets ?? []).some(({ name }) => name === call.args.agent_name);
}

function alreadyMade(call: ActionCall, steps: readonly Step[]): boolean {
  const sinceUser = steps.slice(steps.findLastIndex((step) => step.kind === "user") + 1);
  return sinceUser.some(
    (step) =>
      step.kind === "call" && step.name === call.name && JSON.stringify(step.args) === JSON.stringify(call.args),
  );
}

/**
 * Recorded words after a response are only true when they say every value that is different now, or when nothing is
 * different. Otherwise the response is told from its own JSON, and so is one that the case does not have.
 */
function reboundTelling(said: string, { responses, bindings }: Alignment): string {
  if (said === "") return "";
  const isTrue = responses.every(
    ({ recorded, actual }) => recorded !== undefined && isSaid(said, recorded.response, actual.response),
  );
  if (isTrue) return String(bindings.rebind(said));
  return responses.map(({ actual }) => tellResponse(actual.name, actual.response)).join(" ");
}

function isSaid(said: string, recorded: JsonObject, actual: JsonObject): boolean {
  const now = new Map(leavesOf(actual));
  const then = leavesOf(recorded);
  return (
    now.size === then.length &&
    then.every(([path, value]) => now.has(path) && (now.get(path) === value || contains(said, String(value))))
  );
}
