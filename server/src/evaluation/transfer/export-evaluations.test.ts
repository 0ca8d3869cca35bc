import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { EvaluationResultSchema, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ExportEvaluationsRequestSchema } from "@frontdesk/protos/ces/evaluation_service";
import { Code } from "#status";
import { exportEvaluations } from "./export-evaluations.ts";

const APP = "projects/p/locations/us/apps/shop";

test("an export of more results than possible stops reading at the limit", async () => {
  const names = Array.from({ length: 100 }, (_, at) => `${APP}/evaluations/e${at}`);
  const displayName = "x".repeat(1024 * 1024);
  let read = 0;
  const resources = {
    read: async () => ({ evaluations: names.map((name) => create(EvaluationSchema, { name })) }),
    async *resultsOf(evaluation: string) {
      for (const id of ["r1", "r2"]) {
        read += 1;
        yield create(EvaluationResultSchema, { name: `${evaluation}/results/${id}`, displayName });
      }
    },
  };
  const deps = { resources } as unknown as Parameters<typeof exportEvaluations>[1];
  const request = create(ExportEvaluationsRequestSchema, { parent: APP, names, includeEvaluationResults: true });
  await assert.rejects(exportEvaluations(request, deps), {
    code: Code.FailedPrecondition,
    rawMessage: /Name fewer resources in each call/,
  });
  assert.equal(read, 32);
});
