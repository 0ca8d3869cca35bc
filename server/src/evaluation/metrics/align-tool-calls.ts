import type { Evaluation_GoldenExpectation } from "@frontdesk/protos/ces/evaluation";
import { EvaluationMetricsConfig_ComparisonType as Comparison } from "@frontdesk/protos/ces/evaluation_metrics_config";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type ObservedCall, toolKey } from "../observation/observed-turn.ts";
import { allOf, type Verdict } from "../verdict.ts";
import { matchParameters, type ParameterMatch, type SameMeaning } from "./match-arguments.ts";

/** An expected tool call with the observed one that fits it best. */
export interface AlignedCall {
  readonly expectation: Evaluation_GoldenExpectation;
  /** Undefined: the tool was not called (again). */
  readonly observed: ObservedCall | undefined;
  /** Share of the expected parameters that match, 0 to 1; 1 without parameters. Undefined without a call. */
  readonly score: number | undefined;
  /** Whether all parameters could be compared. */
  readonly measured: Verdict;
  /** What does not match; "" when all does. */
  readonly explanation: string;
}

/** The expected calls of a turn beside the observed ones. */
export interface Alignment {
  readonly calls: readonly AlignedCall[];
  /** Observed calls that no expectation is about. */
  readonly extra: readonly ObservedCall[];
  /** Share of the expected calls that were made, 0 to 1. Undefined when none is expected. */
  readonly invocationScore: number | undefined;
  /** Share of the expected calls that were made in the expected order, 0 to 1. Undefined when none is expected. */
  readonly orderedScore: number | undefined;
}

/** Pairs calls of the same tool so that the parameters match best; of equals, the earlier call. */
export async function alignToolCalls(
  expectations: readonly Evaluation_GoldenExpectation[],
  observed: readonly ObservedCall[],
  sameMeaning: SameMeaning,
): Promise<Alignment> {
  const expected = expectations.filter(({ condition }) => condition.case === "toolCall");
  const candidates = (
    await Promise.all(expected.map((expectation, position) => compareAll(expectation, position, observed, sameMeaning)))
  ).flat();
  // Best first; the sort is stable, so that of equals the earliest expectation takes the earliest call.
  candidates.sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  const taken = new Set<ObservedCall>();
  const pairs = new Map<Evaluation_GoldenExpectation, AlignedCall>();
  for (const candidate of candidates) {
    if (!candidate.observed || taken.has(candidate.observed) || pairs.has(candidate.expectation)) continue;
    taken.add(candidate.observed);
    pairs.set(candidate.expectation, candidate);
  }
  const calls = expected.map((expectation) => pairs.get(expectation) ?? missing(expectation));
  const share = (count: number) => (expected.length === 0 ? undefined : count / expected.length);
  return {
    calls,
    extra: observed.filter((call) => !taken.has(call)),
    invocationScore: share(pairs.size),
    orderedScore: share(longestInOrder(calls.flatMap((call) => (call.observed ? [call.observed] : [])))),
  };
}

function missing(expectation: Evaluation_GoldenExpectation): AlignedCall {
  return {
    expectation,
    observed: undefined,
    score: undefined,
    measured: "passed",
    explanation: "The tool was not called.",
  };
}

async function compareAll(
  expectation: Evaluation_GoldenExpectation,
  position: number,
  observed: readonly ObservedCall[],
  sameMeaning: SameMeaning,
): Promise<readonly (AlignedCall & { readonly position: number })[]> {
  const { condition } = expectation;
  if (condition.case !== "toolCall") return [];
  const key = toolKey(condition.value);
  const args = byComparisonType(condition.value.args ?? {}, expectation.comparisonType);
  const same = observed.filter(({ call }) => toolKey(call) === key);
  return Promise.all(
    same.map(async (call) => {
      const matches = await matchParameters(args, call.call.args ?? {}, sameMeaning);
      return { expectation, position, observed: call, ...scoreOf(matches) };
    }),
  );
}

function scoreOf(matches: readonly ParameterMatch[]): Pick<AlignedCall, "score" | "measured" | "explanation"> {
  const passed = matches.filter(({ verdict }) => verdict === "passed").length;
  const problems = matches.filter(({ problem }) => problem !== "").map(({ path, problem }) => `${path}: ${problem}`);
  return {
    score: matches.length === 0 ? 1 : passed / matches.length,
    measured: allOf(matches.map(({ verdict }) => (verdict === "failed" ? "passed" : verdict))),
    explanation: problems.join("\n"),
  };
}

/** CONTAINS and SEMANTIC_SIMILARITY of an expectation apply to its texts; otherwise they must be equal (EVAL-9). */
function byComparisonType(args: JsonObject, type: Comparison): JsonObject {
  const matcher = { [Comparison.CONTAINS]: "contains", [Comparison.SEMANTIC_SIMILARITY]: "semantic" }[type as number];
  if (matcher === undefined) return args;
  const applied = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return { $matchType: matcher, $matchValue: value };
    if (!isJsonObject(value) || Object.hasOwn(value, "$matchType")) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, applied(inner)]));
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, applied(value)]));
}

/** The longest part of the calls, listed as expected, whose batches do not decrease: calls of one batch have no order. */
function longestInOrder(calls: readonly ObservedCall[]): number {
  const longest: number[] = [];
  for (const [position, { batch }] of calls.entries()) {
    let best = 0;
    for (let before = 0; before < position; before++) {
      const follows = (calls[before]?.batch ?? 0) <= batch;
      if (follows) best = Math.max(best, longest[before] ?? 0);
    }
    longest.push(best + 1);
  }
  return Math.max(0, ...longest);
}
