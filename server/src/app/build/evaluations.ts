import { createEvaluations, createModelJudge, type Evaluations, waitForModels } from "#evaluation";
import type { Operations } from "#operations";
import type { Resources } from "#resources";
import { createEvaluationResources } from "#services";
import type { Conversations, SessionEngine } from "#session";
import type { Speech } from "#speech";
import { expiringBlobs } from "#storage";
import type { Platform } from "./platform.ts";

/** What evaluations run against. */
interface EvaluatedParts {
  readonly resources: Resources;
  readonly conversations: Conversations;
  readonly sessions: SessionEngine;
  readonly speech: Speech;
  readonly operations: Operations;
}

/** Milliseconds that an answer, a judgement or an evaluated draft is kept: 90 days (EVAL-17, EVAL-60, EVAL-96). An answer is asked for again then. */
const KEPT_MS = 90 * 86_400_000;

/** Creates the runs of evaluations, with their judge and their users. */
export function createEvaluationParts(
  { config, models: called, storage, objects, clock, ids, logger }: Platform,
  { resources, conversations, sessions, speech, operations }: EvaluatedParts,
): Evaluations {
  const models = waitForModels(called, { clock, logger });
  const blobs = expiringBlobs(storage.blobs, clock, KEPT_MS);
  return createEvaluations({
    sessions,
    judge: createModelJudge({ models, model: config.evaluation.judge, blobs, logger }),
    models,
    judgeModel: config.evaluation.judge,
    userModel: config.evaluation.user,
    blobs,
    resources: createEvaluationResources(resources, conversations),
    operations,
    replica: storage.replica,
    clock,
    ids,
    logger,
    objects,
    speech,
    concurrency: config.evaluation.concurrency,
  });
}
