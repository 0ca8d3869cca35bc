import type { RunEvaluationRequest } from "@frontdesk/protos/ces/evaluation";
import { invalidArgument } from "#status";
import type { EvaluationResources } from "../contract.ts";

/** The version that a run evaluates, "" for the draft: the request's, or that which its deployment serves when the run begins (EVAL-74). */
export async function evaluatedVersion(
  { app, appVersion, deployment }: RunEvaluationRequest,
  resources: Pick<EvaluationResources, "deployedVersion">,
): Promise<string> {
  if (deployment === "") return appVersion;
  if (appVersion !== "") {
    throw invalidArgument({ field: "deployment", description: "Set app_version or deployment, not both." });
  }
  return resources.deployedVersion(app, deployment);
}
