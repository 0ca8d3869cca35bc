import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { evaluationService } from "../../api/evaluation-service.ts";
import { waitForOperation } from "../../api/operations.ts";
import { personalDataOf } from "./personal-data.tsx";

/** A golden that was made, and what of people it seems to have. */
interface GeneratedEvaluation {
  readonly name: string;
  /** In words; see `personalDataOf`. */
  readonly personalData: readonly string[];
}

/** Makes a golden from a stored conversation. */
export async function generateEvaluation(conversation: string): Promise<GeneratedEvaluation> {
  const operation = await evaluationService.generateEvaluation({ conversation });
  const evaluation = await waitForOperation(operation, EvaluationSchema);
  return { name: evaluation.name, personalData: personalDataOf(evaluation) };
}
