import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { defineService, type ServiceRegistration } from "#rpc";
import { type StandardServiceDeps, standardMethods } from "./standard-service.ts";

/** Evaluations, datasets, expectations, results and runs as resources: `google.cloud.ces.v1beta.EvaluationService`. */
export function createEvaluationService(deps: StandardServiceDeps): ServiceRegistration {
  return defineService(EvaluationService, [], standardMethods(EvaluationService, deps));
}
