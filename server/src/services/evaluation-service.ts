import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import type { Evaluations } from "#evaluation";
import { defineService, type ServiceRegistration } from "#rpc";
import { type StandardServiceDeps, standardMethods } from "./standard-service.ts";

interface EvaluationServiceDeps extends StandardServiceDeps {
  readonly evaluations: Evaluations;
}

/** Evaluations, datasets, expectations, and their runs: `google.cloud.ces.v1beta.EvaluationService`. */
export function createEvaluationService(deps: EvaluationServiceDeps): ServiceRegistration {
  const { evaluations } = deps;
  return defineService(EvaluationService, [], {
    ...standardMethods(EvaluationService, deps),
    runEvaluation: (request) => evaluations.run(request),
    generateEvaluation: (request) => evaluations.generate(request),
    runEvaluationResultMetrics: (request) => evaluations.scoreAgain(request),
  });
}
