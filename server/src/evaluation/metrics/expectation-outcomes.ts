import type { Evaluation_GoldenExpectation } from "@frontdesk/protos/ces/evaluation";
import { EvaluationMetricsConfig_ComparisonType as Comparison } from "@frontdesk/protos/ces/evaluation_metrics_config";
import type { AgentTransfer } from "@frontdesk/protos/ces/example";
import { definedFields, type JsonObject } from "#base";
import { type ObservedTurn, textOf } from "../observation/observed-turn.ts";
import { toOutcome, type Verdict, verdictOf } from "../verdict.ts";
import type { AlignedCall, Alignment } from "./align-tool-calls.ts";
import { includesJson } from "./match-arguments.ts";
import { type ScoredExpectation, scored } from "./scored-expectation.ts";
import { expectedText, hasOwnComparison, type ScoredResponse, similarityOutcome } from "./semantic-similarity.ts";
import { type GoldenCriteria, parameterThreshold, reaches } from "./thresholds.ts";
import { type ExpectedResponse, expectedResponses } from "./tool-responses.ts";

/** The outcome of each expectation, in the order of the golden. Mocked responses are input, and have none. */
export function expectationOutcomes(
  expectations: readonly Evaluation_GoldenExpectation[],
  observed: ObservedTurn,
  alignment: Alignment,
  response: ScoredResponse | undefined,
  criteria: GoldenCriteria,
): readonly ScoredExpectation[] {
  const transfers = new InOrder(observed.transfers);
  const responses = new InOrder(observed.responses);
  const toolResponses = expectedResponses(expectations, alignment);
  return expectations.flatMap((expectation): readonly ScoredExpectation[] => {
    const { condition } = expectation;
    switch (condition.case) {
      case "toolCall": {
        const aligned = alignment.calls.find((call) => call.expectation === expectation);
        return aligned ? [callOutcome(aligned, criteria)] : [];
      }
      case "toolResponse": {
        const found = toolResponses.get(expectation);
        return found ? [toolResponseOutcome(expectation, condition.value.response ?? {}, found, criteria)] : [];
      }
      case "agentResponse":
        return [
          agentResponseOutcome(
            expectation,
            observed,
            responses.take(() => true),
            response,
            criteria,
          ),
        ];
      case "agentTransfer": {
        const expected = condition.value;
        return [
          transferOutcome(
            expectation,
            transfers.take((transfer) => isTransferTo(transfer, expected)),
          ),
        ];
      }
      case "updatedVariables":
        return [variablesOutcome(expectation, condition.value, observed.updatedVariables)];
      case "noToolCalls":
        return condition.value ? [scored(expectation, verdictOf(observed.calls.length === 0), {})] : [];
      default:
        return [];
    }
  });
}

/** Things that happened one after the other: each is given once, and none from before one that was given. */
class InOrder<Item> {
  readonly #items: readonly Item[];
  #next = 0;

  constructor(items: readonly Item[]) {
    this.#items = items;
  }

  take(matches: (item: Item) => boolean): Item | undefined {
    const at = this.#items.findIndex((item, position) => position >= this.#next && matches(item));
    if (at >= 0) this.#next = at + 1;
    return this.#items[at];
  }
}

function callOutcome(
  { expectation, observed, score, measured, explanation }: AlignedCall,
  { toolCalls, parameters }: GoldenCriteria,
): ScoredExpectation {
  // The share of the calls that were made decides about missing ones (EVAL-71).
  if (!observed) {
    const verdict = missingVerdict(toolCalls);
    const toolInvocationResult = { outcome: toOutcome(verdict), explanation };
    return scored(expectation, verdict, { toolInvocationResult }, "passed");
  }
  const verdict = parameters.enabled
    ? parameterVerdict(score ?? 0, measured, parameterThreshold(expectation, { parameters }))
    : "passed";
  return scored(expectation, verdict, {
    result: { case: "observedToolCall", value: observed.call },
    toolInvocationResult: {
      outcome: toOutcome(verdict),
      explanation,
      ...definedFields({ parameterCorrectnessScore: score }),
    },
  });
}

/** A metric that is off says nothing. */
function missingVerdict({ enabled }: GoldenCriteria["toolCalls"]): Verdict {
  return enabled ? "failed" : "not-measured";
}

function parameterVerdict(score: number, measured: Verdict, atLeast: number): Verdict {
  if (reaches(score, atLeast)) return "passed";
  return measured === "passed" ? "failed" : measured;
}

function toolResponseOutcome(
  expectation: Evaluation_GoldenExpectation,
  expected: JsonObject,
  { observed: call, isCallExpected }: ExpectedResponse,
  { toolCalls }: GoldenCriteria,
): ScoredExpectation {
  if (!call && isCallExpected) return scored(expectation, missingVerdict(toolCalls), {}, "passed");
  const observed = call?.response;
  if (!observed) return scored(expectation, "failed", {});
  return scored(expectation, verdictOf(includesJson(observed.response ?? {}, expected)), {
    result: { case: "observedToolResponse", value: observed },
  });
}

/** EQUALS and CONTAINS are decided here; otherwise the response has the outcome of the turn's similarity, which the turn counts once. */
function agentResponseOutcome(
  expectation: Evaluation_GoldenExpectation,
  { responses }: ObservedTurn,
  message: ObservedTurn["responses"][number] | undefined,
  response: ScoredResponse | undefined,
  { similarity }: GoldenCriteria,
): ScoredExpectation {
  const fields = message ? { result: { case: "observedAgentResponse" as const, value: message } } : {};
  if (!hasOwnComparison(expectation)) {
    return scored(expectation, similarityOutcome(expectation, response, similarity), fields, "passed");
  }
  const expected = expectedText(expectation).normalize("NFC");
  const said = responses.map((one) => textOf(one).normalize("NFC"));
  const texts = [...said, said.join("\n")];
  const passed =
    expectation.comparisonType === Comparison.EQUALS
      ? texts.includes(expected)
      : texts.some((text) => text.includes(expected));
  return scored(expectation, verdictOf(passed), fields);
}

function transferOutcome(
  expectation: Evaluation_GoldenExpectation,
  transfer: AgentTransfer | undefined,
): ScoredExpectation {
  if (!transfer) return scored(expectation, "failed", {});
  return scored(expectation, "passed", { result: { case: "observedAgentTransfer", value: transfer } });
}

/** By resource name; goldens of files may have only the display name. */
function isTransferTo(observed: AgentTransfer, expected: AgentTransfer): boolean {
  if (observed.targetAgent === expected.targetAgent) return true;
  return observed.displayName !== "" && observed.displayName === (expected.displayName || expected.targetAgent);
}

function variablesOutcome(
  expectation: Evaluation_GoldenExpectation,
  expected: JsonObject,
  observed: JsonObject,
): ScoredExpectation {
  return scored(expectation, verdictOf(includesJson(observed, expected)), {
    result: { case: "observedPayload", value: observed },
  });
}
