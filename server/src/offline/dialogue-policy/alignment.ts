import type { JsonValue } from "#base";
import { type Bindings, createBindings } from "./bindings.ts";
import { type Step, TRANSFER } from "./conversation.ts";
import type { Similarity } from "./similarity.ts";

/** From this similarity on, two texts of the user mean the same turn of a case. */
const SAME_TEXT = 0.7;

type Response = Extract<Step, { kind: "response" }>;

/** A case laid over the conversation: how far it reaches, and what a recorded value is now. */
export interface Alignment {
  /** Steps of the case that match. */
  readonly matched: number;
  /** Sum of the similarities of the user's texts. */
  readonly likeness: number;
  /** What the case has the agent do next: words, then calls. */
  readonly next: readonly Step[];
  readonly bindings: Bindings;
  /** The responses since the user spoke, each with the recorded one where the case has it. */
  readonly responses: readonly { readonly recorded?: Response; readonly actual: Response }[];
}

/**
 * Lays a case over the conversation, or finds that it does not fit. What the agent said is not compared (callbacks and values
 * change it); what the user said, what was called and what answered is. Transfers and responses may be missing on either
 * side, as goldens leave them out. `agentName` is the agent that speaks now.
 */
export function align(
  recorded: readonly Step[],
  actual: readonly Step[],
  { agentName, similarity }: { readonly agentName: string; readonly similarity: Similarity },
): Alignment | undefined {
  const bindings = createBindings();
  let responses: { recorded?: Response; actual: Response }[] = [];
  let [at, matched, likeness] = [firstUserStep(recorded, isEvent(actual[0])), 0, 0];
  for (const step of actual.filter(isCompared)) {
    const position = skip(recorded, at, step);
    const expected = recorded[position];
    const alike = expected === undefined ? 0 : likenessOf(expected, step, similarity);
    if (step.kind === "user") responses = [];
    if (step.kind === "response")
      responses.push(
        expected?.kind === "response" && alike > 0 ? { recorded: expected, actual: step } : { actual: step },
      );
    if (expected === undefined || alike === 0) {
      if (step.kind === "response" || isTransfer(step)) continue;
      return undefined;
    }
    bind(bindings, expected, step);
    at = position + 1;
    matched += 1;
    if (step.kind === "user") likeness += alike;
  }
  return { matched, likeness, next: nextSteps(recorded.slice(at), agentName), bindings, responses };
}

/** 0 where two steps differ; for texts of the user their similarity. */
function likenessOf(expected: Step, step: Step, similarity: Similarity): number {
  if (expected.kind === "user" && step.kind === "user") {
    const alike = similarity(expected.text, step.text);
    return alike >= SAME_TEXT ? alike : 0;
  }
  return expected.kind === step.kind && "name" in expected && "name" in step && expected.name === step.name ? 1 : 0;
}

function bind(bindings: Bindings, expected: Step, step: Step): void {
  if (expected.kind === "user" && step.kind === "user") bindings.bindTexts(expected.text, step.text);
  if (expected.kind === "call" && step.kind === "call") bindings.bindLeaves(expected.args, step.args);
  if (expected.kind === "response" && step.kind === "response") bindings.bindLeaves(expected.response, step.response);
}

function isCompared(step: Step): boolean {
  return step.kind === "user" || step.kind === "call" || (step.kind === "response" && step.name !== TRANSFER);
}

function isTransfer(step: Step): boolean {
  return "name" in step && step.name === TRANSFER;
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
    const absent = (actual.kind === "user" && step.kind === "response") || (isTransfer(step) && !isTransfer(actual));
    if (step.kind !== "say" && !absent) return at;
    at += 1;
  }
  return at;
}

/**
 * The words and calls up to the next step of somebody else. Words after a call belong to its response, even where a golden
 * leaves the response out. A transfer to the agent that speaks is over.
 */
function nextSteps(recorded: readonly Step[], agentName: string): readonly Step[] {
  const next: Step[] = [];
  for (const step of recorded) {
    if (isTransfer(step) && (step.kind === "response" || targetOf(step) === agentName)) continue;
    if (step.kind !== "call" && (step.kind !== "say" || next.some(({ kind }) => kind === "call"))) break;
    next.push(step);
    if (isTransfer(step)) break;
  }
  return next;
}

function targetOf(step: Step): JsonValue | undefined {
  return step.kind === "call" ? (step.args.agent_name ?? step.args.agent) : undefined;
}
