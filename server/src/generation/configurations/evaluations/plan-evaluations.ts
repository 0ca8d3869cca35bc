import { GenerateAppResourceOperationMetadata_GenerationType as GenerationType } from "@frontdesk/protos/ces/agent_service";
import type { AppTree } from "#resources";
import { failedPrecondition, invalidArgument } from "#status";
import { CHANGES_GUIDE, EVALUATION_GUIDE } from "../../prompts/guides.ts";
import { differences } from "../../report/differences.ts";
import { EvaluationChangesShape } from "../../sketch/app-changes.ts";
import { newEvaluations } from "../app/plan-app.ts";
import { datasetViolations } from "../context-violations.ts";
import { draftApp, explanationPartsOf } from "../drafting.ts";
import type { Job, JobResult, PlanJob, Work } from "../job.ts";

/** Goldens and scenarios for an app as it is (GEN-2). */
export const planEvaluations: PlanJob = ({ request, base }): Job => {
  const violations = datasetViolations(
    request.evaluationGenerationConfig?.datasetId ?? "",
    "evaluation_generation_config",
  );
  if (violations.length > 0) throw invalidArgument(violations);
  assertHasAgents(base);
  return { type: GenerationType.SCENARIO_CREATE, needsModel: true, run: (work) => generateEvaluations(base, work) };
};

/** FAILED_PRECONDITION for an app about which nothing can be written yet. */
export function assertHasAgents({ app, agents }: AppTree): void {
  if (agents.length > 0) return;
  throw failedPrecondition(
    `The app '${app.name}' has no agents yet. Create one, or generate them: app_generation_config.`,
  );
}

async function generateEvaluations(base: AppTree, work: Work): Promise<JobResult> {
  const drafted = await draftApp({
    work,
    caller: "generate evaluations",
    task: TASK,
    material: [["existing", JSON.stringify(base.evaluations.map(({ displayName }) => displayName))]],
    shape: EvaluationChangesShape,
    scope: { base },
    known: "ignore",
    goldens: "new",
  });
  const { tree } = drafted.best.draft;
  return {
    resource: {
      case: "evaluations",
      value: {
        $typeName: "google.cloud.ces.v1beta.GenerateAppResourceResponse.Evaluations",
        evaluations: newEvaluations(base, tree),
      },
    },
    explained: { ...explanationPartsOf(drafted), changes: differences(base, tree) },
  };
}

const TASK = [
  "You write tests for the app in <app>: three to eight goldens and two to four scenarios that cover what its instructions promise, the usual way and what " +
    "goes wrong. <existing> names the tests that it has; do not write them again.",
  "<wrong> lists goldens of yours that failed when they ran. Where the golden expects what the app rightly does not do, correct the golden; where the " +
    "app breaks its own instructions, leave the golden as it is and say so in the explanation.",
  EVALUATION_GUIDE,
  CHANGES_GUIDE,
].join("\n\n");
