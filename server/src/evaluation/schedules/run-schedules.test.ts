import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { notFound } from "#status";
import { createSchedules } from "./run-schedules.ts";

const APP = "projects/p/locations/us/apps/shop";
const NOW = Date.parse("2026-03-28T08:00:00Z");

for (const isDeleted of [true, false])
  test(`a run that cannot start ${isDeleted ? "leaves nothing when its schedule was deleted meanwhile" : "is stored"} (EVAL-105)`, async () => {
    const schedule = create(ScheduledEvaluationRunSchema, {
      name: `${APP}/scheduledEvaluationRuns/nightly`,
      active: true,
      createdBy: "ada@example.com",
      request: { app: APP, evaluations: [`${APP}/evaluations/one-case`] },
      schedulingConfig: { frequency: Frequency.DAILY, startTime: timestampFromMs(NOW - 1_000) },
      nextScheduledExecutionTime: timestampFromMs(NOW - 1_000),
    });
    const stored: unknown[][] = [];
    const all = [{ schedule, timeZone: "" }];
    const schedules = createSchedules({
      resources: {
        schedules: async (name) => (name === undefined || !isDeleted ? all : []),
        read: () => Promise.reject(notFound(APP, "ces.googleapis.com/App")),
        runs: async () => [],
        put: async (...records) =>
          void stored.push(records.map((record) => "initiatedBy" in record && record.initiatedBy)),
        annotate: async () => {},
      },
      startRun: () => Promise.reject(notFound(APP, "ces.googleapis.com/App")),
      launch: async () => {},
      clock: { now: () => NOW },
      logger: { error: () => {}, warn: () => {} } as never,
    });

    await schedules.pass(new AbortController().signal);

    assert.deepEqual(stored, isDeleted ? [] : [["ada@example.com"]]);
  });
