import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";

/** Makes a golden from a stored conversation and returns its name. */
export async function generateEvaluation(conversation: string): Promise<string> {
  const operation = await evaluationService.generateEvaluation({ conversation });
  const { name } = await waitForOperation(operation, EvaluationSchema);
  return name;
}
