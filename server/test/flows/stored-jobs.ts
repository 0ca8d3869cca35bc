import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { RunEvaluationResultMetricsOperationMetadataSchema } from "@frontdesk/protos/ces/evaluation_service";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import { createLogger, systemClock } from "#base";
import { type OperationRow, openStorage } from "#storage";
import { startTestServer } from "#testing";

export const LOCATION = "projects/p/locations/us";
export const DEAD_LETTER = `${LOCATION}/operations/letter`;

const METADATA = create(RunEvaluationResultMetricsOperationMetadataSchema);
const EMPTY = new Uint8Array();
const packed = toBinary(AnySchema, anyPack(RunEvaluationResultMetricsOperationMetadataSchema, METADATA));
const away = toBinary(StatusSchema, create(StatusSchema, { code: 14, message: "The model is away." }));

function job(id: string, createTime: number, fields: Partial<OperationRow>): OperationRow {
  return {
    ...{ name: `${LOCATION}/operations/${id}`, parent: LOCATION, kind: "RunEvaluationResultMetrics", createTime },
    subject: `${LOCATION}/apps/a/evaluations/e/results/gone`,
    ...{ done: true, isDead: false, attempts: 0, metadata: packed, response: EMPTY, error: EMPTY, lastError: EMPTY },
    ...fields,
  };
}

/** Starts a server on a folder with an operation that failed, a dead letter, and one that waits for an hour. */
export async function startWithJobs() {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-jobs-"));
  const { operations, close } = await openStorage({ dataDir, clock: systemClock, logger: createLogger("silent") });
  const now = Date.now();
  await operations.put(job("failed", now - 9_000_000, { kind: "ImportApp", error: away }));
  await operations.put(job("letter", now - 60_000, { isDead: true, attempts: 5, error: away, lastError: away }));
  const waiting = { done: false, attempts: 2, lastError: away, dueTime: now + 3_600_000 };
  await operations.put(job("patient", now - 5_000, waiting));
  await close();
  return startTestServer({ dataDir });
}
