import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  EvaluationConfig_EvaluationChannel as Channel,
  type EvaluationRun,
  EvaluationSchema,
  type RunEvaluationRequest,
} from "@frontdesk/protos/ces/evaluation";
import {
  GenerateEvaluationOperationMetadataSchema,
  type RunEvaluationOperationMetadata,
  RunEvaluationOperationMetadataSchema,
  RunEvaluationResponseSchema,
  RunEvaluationResultMetricsOperationMetadataSchema,
  RunEvaluationResultMetricsResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { ObjectStorage } from "#base";
import type { OperationHandle, Operations } from "#operations";
import type { Speech } from "#speech";
import type { Replica } from "#storage";
import { createEvaluationAudio } from "./audio/evaluation-audio.ts";
import { createSpokenTurns } from "./audio/spoken-turns.ts";
import type { Evaluations } from "./contract.ts";
import { generateEvaluation } from "./generate/generate-evaluation.ts";
import { continuing } from "./runs/continued-run.ts";
import { evaluatedVersion } from "./runs/evaluated-version.ts";
import { executeRun, type RunDeps, type RunOptions } from "./runs/execute-run.ts";
import { keepCaching } from "./runs/kept-caching.ts";
import { planRun } from "./runs/plan-run.ts";
import { scoreResultsAgain } from "./runs/score-results-again.ts";
import { NOT_SHARED, shareRuns } from "./runs/share-run.ts";
import { createSchedules } from "./schedules/run-schedules.ts";
import { createTransfer } from "./transfer/create-transfer.ts";

/** What evaluations need. */
interface EvaluationsDeps extends Omit<RunDeps, "spokenTurns"> {
  readonly operations: Operations;
  /** Where files at `gs://` addresses are. */
  readonly objects: ObjectStorage;
  /** The other servers of the database. Default: there are none. */
  readonly replica?: Replica | undefined;
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
}

const KIND = "RunEvaluation";
const SCORING = "RunEvaluationResultMetrics";

/** How an operation executes a run. */
function optionsOf({ name, signal, isTriedAgain }: OperationHandle): RunOptions {
  return { operation: name, signal, isTriedAgain };
}

/** Creates the evaluation runs of a server. */
export function createEvaluations(given: EvaluationsDeps): Evaluations {
  const runDeps = { ...given, spokenTurns: createSpokenTurns(given) };
  const sharing = given.replica ? shareRuns(given.replica, runDeps) : NOT_SHARED;
  const deps = { ...runDeps, sharing };
  const { resources, operations, clock, ids, logger } = deps;

  async function run(given: RunEvaluationRequest, author: string, runId = ids.uuid()): Promise<Operation> {
    const evaluated = await resources.read(given.app);
    const request = { ...(await continuing(given, evaluated, resources)) };
    if (request.config?.evaluationChannel === Channel.AUDIO) deps.spokenTurns.check();
    request.appVersion = await evaluatedVersion(request, resources);
    const snapshot = await resources.snapshot(request.app, request.appVersion);
    const planned = planRun(request, evaluated, snapshot, { runId, ids, author, now: clock.now() });
    // The operation first: after a stop between the two it fails, while a run without an operation would wait for ever.
    return launch(planned.run, request, () => resources.put(...planned.results, planned.run));
  }

  /** Starts the operation of a run, which stores it first where it is not yet. */
  function launch(
    { name: evaluationRun, evaluations }: EvaluationRun,
    { evaluationRunCachingSettings: caching }: RunEvaluationRequest,
    store: () => Promise<void> = async () => {},
  ): Promise<Operation> {
    const metadata = create(RunEvaluationOperationMetadataSchema, {
      evaluations,
      evaluationRun,
      createTime: timestampFromMs(Math.floor(clock.now())),
      verb: "create",
    });
    return operations.begin({
      subject: evaluationRun,
      kind: KIND,
      metadata,
      prepare: async () => {
        await store();
        await keepCaching(evaluationRun, caching, deps);
      },
    });
  }

  const execute = (name: string, options: RunOptions) =>
    executeRun(name, options, deps).then(() => ({ evaluationRun: name }));

  const score = async (result: string, { signal }: OperationHandle) => ({
    status: await scoreResultsAgain(result, deps, signal),
  });

  return {
    run: (request, author) => run(request, author),
    transfer: createTransfer(deps),
    audio: createEvaluationAudio(deps),
    schedules: createSchedules({ resources, startRun: run, launch, clock, logger }),
    scoreAgain: ({ evaluationResultId: name }) =>
      operations.begin({
        subject: name,
        kind: SCORING,
        metadata: create(RunEvaluationResultMetricsOperationMetadataSchema),
      }),
    generate: (request, author) =>
      operations.start({
        subject: request.conversation,
        kind: "GenerateEvaluation",
        metadata: create(GenerateEvaluationOperationMetadataSchema),
        response: EvaluationSchema,
        work: ({ signal }) => generateEvaluation(request, { ...deps, author }, signal),
      }),
    close: () => sharing.close(),
    resumable: resumableKinds(execute, score),
  };
}

/** The operations that go on after a restart. */
function resumableKinds(
  execute: (run: string, options: RunOptions) => Promise<MessageInitShape<typeof RunEvaluationResponseSchema>>,
  score: (
    result: string,
    handle: OperationHandle,
  ) => Promise<MessageInitShape<typeof RunEvaluationResultMetricsResponseSchema>>,
): Evaluations["resumable"] {
  return [
    {
      kind: KIND,
      response: RunEvaluationResponseSchema,
      work: (metadata) => (handle) =>
        execute((metadata as RunEvaluationOperationMetadata).evaluationRun, optionsOf(handle)),
    },
    {
      kind: SCORING,
      response: RunEvaluationResultMetricsResponseSchema,
      work: (_, subject) => (handle) => score(subject, handle),
    },
  ];
}
