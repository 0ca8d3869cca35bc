import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { EvaluationService, RunEvaluationOperationMetadataSchema } from "@frontdesk/protos/ces/evaluation_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { binaryTransport } from "./transport.ts";

/** The service that stores and runs evaluations. Apart from the other clients, because its definitions are large and few pages need it. */
export const evaluationService = createClient(EvaluationService, binaryTransport);

/** The run that an operation of RunEvaluation executes. */
export function runOf({ metadata }: Operation): string | undefined {
  return metadata && anyUnpack(metadata, RunEvaluationOperationMetadataSchema)?.evaluationRun;
}
