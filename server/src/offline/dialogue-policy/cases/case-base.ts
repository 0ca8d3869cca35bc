import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { DialogueExample, ModelRequest } from "#models";
import type { Action, ActionCall } from "../action.ts";
import { type DialogueEvent, eventsOf, TRANSFER } from "../dialogue-state.ts";
import { describeResponse } from "../responses/describe-response.ts";
import { type Alignment, align } from "./alignment.ts";
import { type Bindings, contains, leavesOf } from "./bindings.ts";
import { createSimilarity } from "./similarity.ts";

/** Decides by recorded examples (case-based reasoning). */
export interface CaseBase {
  /** The next action of the longest case whose prefix matches the end of the conversation, with its values re-bound. */
  nextAction(request: ModelRequest, events: readonly DialogueEvent[]): Action | undefined;
}

/** A case base; what it derives from a case is cached for the lifetime of the case. */
export function createCaseBase(): CaseBase {
  const recordedEvents = new WeakMap<DialogueExample, readonly DialogueEvent[]>();
  const similarity = createSimilarity();

  function eventsOfCase(dialogueCase: DialogueExample): readonly DialogueEvent[] {
    const known = recordedEvents.get(dialogueCase);
    if (known !== undefined) return known;
    const events = eventsOf(dialogueCase.messages);
    recordedEvents.set(dialogueCase, events);
    return events;
  }

  return {
    nextAction(request, events) {
      const cases = request.dialogueContext?.examples ?? [];
      if (cases.length === 0) return undefined;
      const endings = events.flatMap((event, position) => (event.kind === "user" ? [events.slice(position)] : []));
      const fits = cases.flatMap((dialogueCase) => {
        const recorded = eventsOfCase(dialogueCase);
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
          right.alignment.matched - left.alignment.matched ||
          right.alignment.totalSimilarity - left.alignment.totalSimilarity,
      );
      for (const { name, alignment } of fits) {
        const action = actionOf(name, alignment, request, events);
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
  events: readonly DialogueEvent[],
): Action | undefined {
  const { next, bindings, responses } = alignment;
  const recorded = next.flatMap((event) => (event.kind === "call" ? [event] : []));
  const calls = recorded.flatMap((event) => reboundCall(event, bindings, request.dialogueContext?.state ?? {}) ?? []);
  if (calls.length < recorded.length || calls.some((call) => !isCallable(call, request) || alreadyMade(call, events)))
    return undefined;
  const said = next.flatMap((event) => (event.kind === "agent" ? [event.text] : [])).join("\n");
  const text = responses.length === 0 ? String(bindings.rebind(said)) : reboundResponse(said, alignment);
  return text === "" && calls.length === 0 ? undefined : { reason: `case:${name}`, text, calls };
}

function reboundCall(
  event: Extract<DialogueEvent, { kind: "call" }>,
  bindings: Bindings,
  state: JsonObject,
): ActionCall | undefined {
  const args: JsonObject = {};
  for (const [name, recorded] of Object.entries(event.args)) {
    const value = withoutMatcher(recorded);
    if (value === undefined) continue;
    const now = bindings.rebind(value);
    if (leavesOf(value).some(([, leaf]) => bindings.isLost(leaf))) return undefined;
    const variable = state[name];
    const known = variable !== undefined && variable !== null && variable !== "" && typeof variable === typeof value;
    args[name] = known && !bindings.isBound(value) ? variable : now;
  }
  return { name: event.name, args };
}

/** A golden's argument may be a matcher; its original value is what was called with (EVAL-2). */
function withoutMatcher(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) && "$matchType" in value ? value.$originalValue : value;
}

function isCallable(call: ActionCall, request: ModelRequest): boolean {
  if (call.name !== TRANSFER) return request.tools.some((tool) => tool.name === call.name);
  return (request.dialogueContext?.transferTargets ?? []).some(({ name }) => name === call.args.agent_name);
}

function alreadyMade(call: ActionCall, events: readonly DialogueEvent[]): boolean {
  const sinceUser = events.slice(events.findLastIndex((event) => event.kind === "user") + 1);
  return sinceUser.some(
    (event) =>
      event.kind === "call" && event.name === call.name && JSON.stringify(event.args) === JSON.stringify(call.args),
  );
}

/**
 * A recorded text after a response is used only when it contains every value that differs now, or when none differs. Otherwise the
 * response is described from its own JSON, as is one that the case lacks.
 */
function reboundResponse(said: string, { responses, bindings }: Alignment): string {
  if (said === "") return "";
  const isTrue = responses.every(
    ({ recorded, actual }) => recorded !== undefined && isCovered(said, recorded.response, actual.response),
  );
  if (isTrue) return String(bindings.rebind(said));
  return responses.map(({ actual }) => describeResponse(actual.name, actual.response)).join(" ");
}

function isCovered(said: string, recorded: JsonObject, actual: JsonObject): boolean {
  const now = new Map(leavesOf(actual));
  const then = leavesOf(recorded);
  return (
    now.size === then.length &&
    then.every(([path, value]) => now.has(path) && (now.get(path) === value || contains(said, String(value))))
  );
}
