import { CLOUD_STORAGE_URL } from "#base";
import { createEvaluations, createModelJudge, type Evaluations } from "#evaluation";
import type { Operations } from "#operations";
import type { Resources } from "#resources";
import { createEvaluationResources } from "#services";
import type { Conversations, SessionEngine } from "#session";
import type { Speech } from "#speech";
import type { Platform } from "./platform.ts";

/** What evaluations run against. */
interface EvaluatedParts {
  readonly resources: Resources;
  readonly conversations: Conversations;
  readonly sessions: SessionEngine;
  readonly speech: Speech;
  readonly operations: Operations;
}

/** Creates the runs of evaluations, with their judge and their users. */
export function createEvaluationParts(
  { config, models, storage, egress, clock, ids, logger }: Platform,
  { resources, conversations, sessions, speech, operations }: EvaluatedParts,
): Evaluations {
  return createEvaluations({
    sessions,
    judge: createModelJudge({ models, model: config.evaluation.judge, blobs: storage.blobs, logger }),
    models,
    judgeModel: config.evaluation.judge,
    userModel: config.evaluation.user,
    blobs: storage.blobs,
    resources: createEvaluationResources(resources, conversations),
    operations,
    clock,
    ids,
    logger,
    egress,
    speech,
    storageUrl: config.voice.storageUrl ?? CLOUD_STORAGE_URL,
    concurrency: config.evaluation.concurrency,
  });
}
