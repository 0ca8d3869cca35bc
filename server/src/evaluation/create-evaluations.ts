import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EvaluationSchema, type RunEvaluationRequest } from "@frontdesk/protos/ces/evaluation";
import {
  GenerateEvaluationOperationMetadataSchema,
  type RunEvaluationOperationMetadata,
  RunEvaluationOperationMetadataSchema,
  RunEvaluationResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Operations } from "#operations";
import type { Evaluations } from "./contract.ts";
import { generateEvaluation } from "./generate/generate-evaluation.ts";
import { executeRun, type RunDeps } from "./runs/execute-run.ts";
import { planRun } from "./runs/plan-run.ts";

/** What evaluations need. */
export interface EvaluationsDeps extends RunDeps {
  readonly operations: Operations;
}

const KIND = "RunEvaluation";

/** Creates the evaluation runs of a server. */
export function createEvaluations(deps: EvaluationsDeps): Evaluations {
  const { resources, operations, clock, ids } = deps;

  async function run(request: RunEvaluationRequest): Promise<Operation> {
    const evaluated = await resources.read(request.app);
    const snapshot = await resources.snapshot(request.app, request.appVersion);
    const now = clock.now();
    const planned = planRun(request, evaluated, snapshot, ids, now);
    await resources.put(...planned.results, planned.run);
    const metadata = create(RunEvaluationOperationMetadataSchema, {
      evaluations: planned.run.evaluations,
      evaluationRun: planned.run.name,
      createTime: timestampFromMs(Math.floor(now)),
      verb: "create",
    });
    return operations.start({
      parent: locationOf(request.app),
      kind: KIND,
      metadata,
      response: RunEvaluationResponseSchema,
      work: ({ name, signal }) => execute(planned.run.name, { operation: name, signal }),
    });
  }

  async function execute(
    name: string,
    { operation, signal }: { readonly operation: string; readonly signal: AbortSignal },
  ) {
    await executeRun(name, { operation, signal }, deps);
    return { evaluationRun: name };
  }

  return {
    run,
    generate: (request) =>
      operations.start({
        parent: locationOf(request.conversation),
        kind: "GenerateEvaluation",
        metadata: create(GenerateEvaluationOperationMetadataSchema),
        response: EvaluationSchema,
        work: ({ signal }) => generateEvaluation(request, deps, signal),
      }),
    resumable: {
      kind: KIND,
      response: RunEvaluationResponseSchema,
      work:
        (metadata) =>
        async ({ name, signal }) => {
          const { evaluationRun } = metadata as RunEvaluationOperationMetadata;
          return execute(evaluationRun, { operation: name, signal });
        },
    },
  };
}

/** The parent of the operations of a resource: `projects/p/locations/l`. */
function locationOf(name: string): string {
  return name.split("/").slice(0, 4).join("/");
}
