import type { App } from "@frontdesk/protos/ces/app";
import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import { EvaluationToolCallBehaviour as ToolCallBehaviour } from "@frontdesk/protos/ces/fakes";

/** How the tools of an app are called by evaluations of a kind that do not say: as its settings do, else for real. */
export function toolCallBehaviourOf({ inputs }: Evaluation, { evaluationSettings }: App): ToolCallBehaviour {
  const { goldenEvaluationToolCallBehaviour, scenarioEvaluationToolCallBehaviour } = evaluationSettings ?? {};
  const ofApp = inputs.case === "scenario" ? scenarioEvaluationToolCallBehaviour : goldenEvaluationToolCallBehaviour;
  return ofApp || ToolCallBehaviour.REAL;
}
