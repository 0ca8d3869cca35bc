import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import { logFault, toStatusError } from "#status";
import { spelling } from "../app-names.ts";
import { transcriptOf } from "../judge/transcript.ts";
import type { ObservedCall, ObservedTurn } from "../observation/observed-turn.ts";
import type { TestCheck, TestContext } from "../suite/contract.ts";
import { calledTool, saidIn, textCheck, toolIdOf } from "../suite/turn-text.ts";
import { type Verdict, verdictOf } from "../verdict.ts";
import { JsonSchema } from "./test-values.ts";

/** The operators of turn evals (EVAL-35). */
const OPERATORS = [
  "contains",
  "not_contains",
  "equals",
  "tool_called",
  "tool_not_called",
  "tool_input",
  "tool_output",
  "no_tools_called",
  "agent_transfer",
  "fuzzy_match",
] as const;

/** An expectation: an operator with a value, or a criterion for a judge. */
export const TurnExpectationSchema = z.union([
  z.string(),
  z.looseObject({ type: z.enum(OPERATORS), value: JsonSchema.optional() }),
]);

type TurnExpectation = z.infer<typeof TurnExpectationSchema>;
type Operator = Exclude<(typeof OPERATORS)[number], "fuzzy_match">;

/** Compares a turn with an expectation. */
export async function checkTurn(
  expectation: TurnExpectation,
  turn: ObservedTurn,
  context: TestContext,
): Promise<TestCheck> {
  if (typeof expectation === "string") return judged(expectation, turn, context);
  const { type, value = null } = expectation;
  if (type === "fuzzy_match") return sameMeaning(textOrJson(value), turn, context);
  const { passed, observed } = CHECKS[type](value, turn);
  return textCheck(type, verdictOf(passed), textOrJson(value), observed);
}

interface Compared {
  readonly passed: boolean;
  readonly observed: string;
}

const CHECKS: Readonly<Record<Operator, (value: JsonValue, turn: ObservedTurn) => Compared>> = {
  contains: (value, turn) => said(turn, (text) => folded(text).includes(folded(textOrJson(value)))),
  not_contains: (value, turn) => said(turn, (text) => !folded(text).includes(folded(textOrJson(value)))),
  equals: (value, turn) => said(turn, (text) => text.normalize("NFC") === textOrJson(value).trim().normalize("NFC")),
  tool_called: (value, turn) => called(turn, ({ calls }) => calls.some((call) => isCallOf(textOrJson(value), call))),
  tool_not_called: (value, turn) =>
    called(turn, ({ calls }) => !calls.some((call) => isCallOf(textOrJson(value), call))),
  no_tools_called: (_value, turn) => called(turn, ({ calls }) => calls.length === 0),
  tool_input: (value, turn) => included(value, turn, ({ call }) => call.args ?? {}),
  tool_output: (value, turn) => included(value, turn, ({ response }) => response?.response ?? {}),
  agent_transfer: (value, { transfers }) => {
    const names = transfers.map(({ displayName, targetAgent }) => displayName || targetAgent);
    const passed = names.some((name) => isSameName(name, textOrJson(value)));
    return { passed, observed: names.join(", ") || "no transfer" };
  },
};

/** Texts that look the same are: editors and models compose letters in their own way. */
function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function said(turn: ObservedTurn, matches: (text: string) => boolean): Compared {
  const text = saidIn(turn);
  return { passed: matches(text), observed: text };
}

function called(turn: ObservedTurn, matches: (turn: ObservedTurn) => boolean): Compared {
  return { passed: matches(turn), observed: turn.calls.map(calledTool).join(", ") || "no call" };
}

/** By the name that the tool was called by, or its id: that of a toolset's tool is without the toolset's name. */
function isCallOf(wanted: string, observed: ObservedCall): boolean {
  return [calledTool(observed), toolIdOf(observed)].some((name) => isSameName(name, wanted));
}

function isSameName(one: string, other: string): boolean {
  return spelling(one) === spelling(other);
}

/** The value is part of `{tool: arguments}`, or of the arguments of any call. */
function included(
  value: JsonValue,
  { calls }: ObservedTurn,
  partOf: (call: ObservedTurn["calls"][number]) => JsonObject,
): Compared {
  const parts = calls.map((call) => ({ [calledTool(call)]: partOf(call) }));
  const passed = parts.some((part) => isPart(value, part) || Object.values(part).some((inner) => isPart(value, inner)));
  return {
    passed: isJsonObject(value) && passed,
    observed: parts.map((part) => JSON.stringify(part)).join("\n") || "no call",
  };
}

/** `{}` means that the key exists; JSON text is parsed where an object is expected; other values are compared as text. */
function isPart(part: JsonValue, whole: JsonValue): boolean {
  if (!isJsonObject(part)) return textOrJson(part) === textOrJson(whole);
  const object = typeof whole === "string" ? parsed(whole) : whole;
  if (Object.keys(part).length === 0) return true;
  return (
    isJsonObject(object) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(object, key) && isPart(value, object[key] ?? null))
  );
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

const CRITERION: ReadonlyMap<number, string> = new Map([
  [1, "The turn meets the expectation."],
  [0, "The turn does not meet the expectation."],
]);

async function judged(rubric: string, turn: ObservedTurn, { deps, signal }: TestContext): Promise<TestCheck> {
  const material = transcriptOf(turn.messages);
  const judgement = await deps.judge.ask({ metric: "expectation", rubric, material, scale: CRITERION }, signal);
  if (judgement.kind === "not-measured") return textCheck("expectation", "not-measured", rubric, "", judgement.reason);
  return textCheck("expectation", verdictOf(judgement.score === 1), rubric, "", judgement.explanation);
}

const MEANING: ReadonlyMap<number, string> = new Map([
  [1, "Both texts say the same."],
  [0, "They do not."],
]);

/** Least cosine of two texts of the same meaning, the toolkit's. */
const FUZZY_MATCH = 0.75;

/** The same text is decided here, another one by embeddings where there are any, else by the judge. */
async function sameMeaning(expected: string, turn: ObservedTurn, { deps, signal }: TestContext): Promise<TestCheck> {
  const text = saidIn(turn);
  const check = (verdict: Verdict, why = "") => textCheck("fuzzy_match", verdict, expected, text, why);
  if (text.normalize("NFC") === expected.trim().normalize("NFC")) return check("passed");
  if (text === "") return check("failed", "The agent did not answer.");
  if (deps.similarity) {
    const cosine = await deps.similarity.cosine(expected, text, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      logFault(error, deps.logger, "texts could not be compared by embeddings");
      return toStatusError(error).rawMessage;
    });
    if (typeof cosine === "string") return check("not-measured", cosine);
    return check(verdictOf(cosine >= FUZZY_MATCH), `The cosine is ${cosine.toFixed(2)}, ${FUZZY_MATCH} is asked for.`);
  }
  const material = `Expected:\n${expected}\n\nObserved:\n${text}`;
  const rubric = "Does the observed text say the same as the expected one? Judge the meaning, not the wording.";
  const judgement = await deps.judge.ask({ metric: "semantic-similarity", rubric, material, scale: MEANING }, signal);
  if (judgement.kind === "not-measured") return check("not-measured", judgement.reason);
  return check(verdictOf(judgement.score === 1), judgement.explanation);
}
