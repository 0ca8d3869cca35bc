import type { JsonValue } from "#base";
import { type DialogueEvent, TRANSFER } from "../dialogue-state.ts";
import { type Bindings, createBindings } from "./bindings.ts";
import type { Similarity } from "./similarity.ts";

/** Two texts of the user match from this similarity on. */
const MIN_SIMILARITY = 0.7;

type Response = Extract<DialogueEvent, { kind: "response" }>;

/** The alignment of a case with the conversation: how many events match, and the bindings of recorded values. */
export interface Alignment {
  /** Steps of the case that match. */
  readonly matched: number;
  /** Sum of the similarities of the user's texts. */
  readonly totalSimilarity: number;
  /** The next events of the agent in the case: text, then calls. */
  readonly next: readonly DialogueEvent[];
  readonly bindings: Bindings;
  /** The responses since the user's last input, each with the recorded one where the case has it. */
  readonly responses: readonly { readonly recorded?: Response; readonly actual: Response }[];
}

/**
 * Aligns a case with the conversation; undefined when it does not match. Texts of the agent are not compared, because callbacks
 * and values change them; texts of the user, calls and responses are. Either side may lack transfers and responses, because
 * goldens omit them. `agentName` is the active agent.
 */
export function align(
  recorded: readonly DialogueEvent[],
  actual: readonly DialogueEvent[],
  { agentName, similarity }: { readonly agentName: string; readonly similarity: Similarity },
): Alignment | undefined {
  const bindings = createBindings();
  let responses: { recorded?: Response; actual: Response }[] = [];
  let [at, matched, totalSimilarity] = [firstUserEvent(recorded, isPlatformEvent(actual[0])), 0, 0];
  for (const event of actual.filter(isCompared)) {
    const position = skip(recorded, at, event);
    const expected = recorded[position];
    const alike = expected === undefined ? 0 : similarityOf(expected, event, similarity);
    if (event.kind === "user") responses = [];
    if (event.kind === "response")
      responses.push(
        expected?.kind === "response" && alike > 0 ? { recorded: expected, actual: event } : { actual: event },
      );
    if (expected === undefined || alike === 0) {
      if (event.kind === "response" || isTransfer(event)) continue;
      return undefined;
    }
    bind(bindings, expected, event);
    at = position + 1;
    matched += 1;
    if (event.kind === "user") totalSimilarity += alike;
  }
  return { matched, totalSimilarity, next: nextEvents(recorded.slice(at), agentName), bindings, responses };
}

/** 0 where two events differ; for texts of the user their similarity. */
function similarityOf(expected: DialogueEvent, event: DialogueEvent, similarity: Similarity): number {
  if (expected.kind === "user" && event.kind === "user") {
    const alike = similarity(expected.text, event.text);
    return alike >= MIN_SIMILARITY ? alike : 0;
  }
  return expected.kind === event.kind && "name" in expected && "name" in event && expected.name === event.name ? 1 : 0;
}

function bind(bindings: Bindings, expected: DialogueEvent, event: DialogueEvent): void {
  if (expected.kind === "user" && event.kind === "user") bindings.bindTexts(expected.text, event.text);
  if (expected.kind === "call" && event.kind === "call") bindings.bindLeaves(expected.args, event.args);
  if (expected.kind === "response" && event.kind === "response") bindings.bindLeaves(expected.response, event.response);
}

function isCompared(event: DialogueEvent): boolean {
  return event.kind === "user" || event.kind === "call" || (event.kind === "response" && event.name !== TRANSFER);
}

function isTransfer(event: DialogueEvent): boolean {
  return "name" in event && event.name === TRANSFER;
}

/** A golden may begin with a session start where this conversation, or the compared part of it, begins with a text. */
function firstUserEvent(recorded: readonly DialogueEvent[], withEvent: boolean): number {
  const first = recorded.findIndex((event) => event.kind === "user" && (withEvent || !isPlatformEvent(event)));
  return first < 0 ? recorded.length : first;
}

function isPlatformEvent(event: DialogueEvent | undefined): boolean {
  return event?.kind === "user" && event.text.startsWith("<event>");
}

/** Skips recorded texts of the agent, and recorded transfers and responses that are missing here. */
function skip(recorded: readonly DialogueEvent[], from: number, actual: DialogueEvent): number {
  let at = from;
  for (let event = recorded[at]; event !== undefined; event = recorded[at]) {
    const absent = (actual.kind === "user" && event.kind === "response") || (isTransfer(event) && !isTransfer(actual));
    if (event.kind !== "agent" && !absent) return at;
    at += 1;
  }
  return at;
}

/**
 * The texts and calls of the agent up to the next event of another source. Texts after a call belong to its response, even where
 * a golden omits the response. A transfer to the active agent has already happened.
 */
function nextEvents(recorded: readonly DialogueEvent[], agentName: string): readonly DialogueEvent[] {
  const next: DialogueEvent[] = [];
  for (const event of recorded) {
    if (isTransfer(event) && (event.kind === "response" || targetOf(event) === agentName)) continue;
    if (event.kind !== "call" && (event.kind !== "agent" || next.some(({ kind }) => kind === "call"))) break;
    next.push(event);
    if (isTransfer(event)) break;
  }
  return next;
}

function targetOf(event: DialogueEvent): JsonValue | undefined {
  return event.kind === "call" ? (event.args.agent_name ?? event.args.agent) : undefined;
}
