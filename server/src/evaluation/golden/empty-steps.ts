import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type Evaluation_Golden,
  type Evaluation_Step,
} from "@frontdesk/protos/ces/evaluation";
import type { NotMeasured } from "../contract.ts";

/** Why a golden cannot be measured when one of its steps says nothing: a field of another name is not read, and nothing would be checked (EVAL-95). */
export function emptyStep({ turns }: Evaluation_Golden): NotMeasured | undefined {
  for (const [turn, { steps }] of turns.entries())
    for (const [position, step] of steps.entries()) {
      const problem = problemOf(step);
      if (!problem) continue;
      const message = `golden.turns[${turn}].steps[${position}] ${problem} Correct the name of its field, or remove it.`;
      return { type: ErrorType.RUNTIME_FAILURE, message, session: "" };
    }
  return undefined;
}

function problemOf({ step }: Evaluation_Step): string | undefined {
  if (step.case === undefined) return "has no user_input, agent_transfer or expectation.";
  if (step.case !== "expectation" || step.value.skipEvaluation || step.value.condition.case !== undefined)
    return undefined;
  return (
    "expects nothing: none of tool_call, tool_response, agent_response, agent_transfer, updated_variables, mock_tool_response and " +
    "no_tool_calls is there."
  );
}
