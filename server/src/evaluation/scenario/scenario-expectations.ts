import { create } from "@bufbuild/protobuf";
import {
  type Evaluation_ScenarioExpectation,
  type EvaluationResult_ScenarioExpectationOutcome,
  EvaluationResult_ScenarioExpectationOutcomeSchema as OutcomeSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { Message, ToolCall } from "@frontdesk/protos/ces/example";
import { definedFields } from "#base";
import type { Judge } from "../judge/judge.ts";
import { matchParameters } from "../metrics/match-arguments.ts";
import { sameMeaningBy } from "../metrics/same-meaning.ts";
import { type ObservedCall, textOf, toolKey } from "../observation/observed-turn.ts";
import { allOf, toOutcome, type Verdict, verdictOf } from "../verdict.ts";
import type { RunScenario } from "./run-scenario.ts";

/** The outcome of an expectation about a whole simulated conversation. */
interface ScoredScenarioExpectation {
  readonly outcome: EvaluationResult_ScenarioExpectationOutcome;
  readonly verdict: Verdict;
}

/** The outcome of each expectation: whether a call with these arguments was made, whether an answer means this, in any turn. */
export function scenarioExpectationOutcomes(
  expectations: readonly Evaluation_ScenarioExpectation[],
  { turns }: Pick<RunScenario, "turns">,
  judge: Judge,
  signal: AbortSignal,
): Promise<readonly ScoredScenarioExpectation[]> {
  const calls = turns.flatMap((turn) => turn.calls);
  const responses = turns.flatMap((turn) => turn.responses);
  return Promise.all(
    expectations.map(async (expectation): Promise<ScoredScenarioExpectation> => {
      const { expectation: kind } = expectation;
      if (kind.case === "toolExpectation") {
        const found = await findCall(kind.value.expectedToolCall, calls, judge, signal);
        const { call, response } = found.call ?? {};
        const observed = call && { toolCall: call, ...definedFields({ toolResponse: response }) };
        return toScored(expectation, found.verdict, observed && { case: "observedToolCall", value: observed });
      }
      if (kind.case === "agentResponse") {
        const found = await findResponse(textOf(kind.value), responses, judge, signal);
        const observed = found.message && { case: "observedAgentResponse" as const, value: found.message };
        return toScored(expectation, found.verdict, observed);
      }
      return toScored(expectation, "not-measured", undefined);
    }),
  );
}

type Observed = Parameters<typeof create<typeof OutcomeSchema>>[1] extends infer Init | undefined
  ? Init extends { result?: infer Result }
    ? Result
    : never
  : never;

function toScored(
  expectation: Evaluation_ScenarioExpectation,
  verdict: Verdict,
  result: Observed | undefined,
): ScoredScenarioExpectation {
  const outcome = create(OutcomeSchema, {
    expectation,
    outcome: toOutcome(verdict),
    ...(result === undefined ? {} : { result }),
  });
  return { outcome, verdict };
}

async function findCall(
  expected: ToolCall | undefined,
  calls: readonly ObservedCall[],
  judge: Judge,
  signal: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly call?: ObservedCall }> {
  const sameTool = calls.filter(({ call }) => expected && toolKey(call) === toolKey(expected));
  let verdict: Verdict = "failed";
  for (const call of sameTool) {
    const matches = await matchParameters(expected?.args ?? {}, call.call.args ?? {}, sameMeaningBy(judge, signal));
    const own = allOf(matches.map((match) => match.verdict));
    if (own === "passed") return { verdict: own, call };
    if (own === "not-measured") verdict = own;
  }
  const [call] = sameTool;
  return { verdict, ...definedFields({ call }) };
}

/** The same text decides without a judge; else a judge reads all answers at once. */
async function findResponse(
  expected: string,
  responses: readonly Message[],
  judge: Judge,
  signal: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly message?: Message }> {
  const same = responses.find((message) => textOf(message).includes(expected));
  if (same) return { verdict: "passed", message: same };
  if (responses.length === 0) return { verdict: "failed" };
  const judgement = await judge.ask(
    {
      metric: "expectation",
      rubric: `Does one of the agent's answers mean this?\n${expected}`,
      material: responses.map(textOf).join("\n"),
      scale: new Map([
        [1, "One answer means this."],
        [0, "No answer means this."],
      ]),
    },
    signal,
  );
  return { verdict: judgement.kind === "not-measured" ? "not-measured" : verdictOf(judgement.score === 1) };
}
