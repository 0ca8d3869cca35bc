import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import {
  ExportEvaluationResultsOperationMetadataSchema,
  ExportEvaluationResultsResponseSchema,
  ExportEvaluationRunsOperationMetadataSchema,
  ExportEvaluationRunsResponseSchema,
  ExportEvaluationsResponseSchema,
  ImportEvaluationsOperationMetadataSchema,
  ImportEvaluationsResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import type { Clock } from "#base";
import type { Operations, OperationWork } from "#operations";
import type { EvaluationTransfer } from "../contract.ts";
import {
  checkExport,
  checkIncludes,
  exportEvaluationResults,
  exportEvaluationRuns,
  exportEvaluations,
} from "./export-evaluations.ts";
import { checkImport, type ImportDeps, importEvaluations } from "./import-evaluations.ts";

interface TransferDeps extends ImportDeps {
  readonly operations: Operations;
  readonly clock: Clock;
}

/** Creates the export (EVAL-44) and import (EVAL-46) of evaluations: each is a long-running operation. */
export function createTransfer(deps: TransferDeps): EvaluationTransfer {
  const { operations, clock } = deps;
  const start = <O extends DescMessage>(
    kind: string,
    name: string,
    metadata: Message,
    response: O,
    work: OperationWork<O>,
  ) => operations.start({ subject: name, kind, metadata, response, work });
  const createTime = () => timestampFromMs(Math.floor(clock.now()));

  return {
    importEvaluations: async (request, author) => {
      checkImport(request);
      const metadata = create(ImportEvaluationsOperationMetadataSchema, { createTime: createTime() });
      return start("ImportEvaluations", request.parent, metadata, ImportEvaluationsResponseSchema, ({ signal }) =>
        importEvaluations(request, { ...deps, author }, signal),
      );
    },
    exportEvaluations: async (request) => {
      checkExport(request, deps.objects);
      checkIncludes(request);
      const metadata = create(OperationMetadataSchema, { createTime: createTime() });
      return start("ExportEvaluations", request.parent, metadata, ExportEvaluationsResponseSchema, () =>
        exportEvaluations(request, deps),
      );
    },
    exportEvaluationResults: async (request) => {
      checkExport(request, deps.objects);
      const metadata = create(ExportEvaluationResultsOperationMetadataSchema);
      return start("ExportEvaluationResults", request.parent, metadata, ExportEvaluationResultsResponseSchema, () =>
        exportEvaluationResults(request, deps),
      );
    },
    exportEvaluationRuns: async (request) => {
      checkExport(request, deps.objects);
      const metadata = create(ExportEvaluationRunsOperationMetadataSchema);
      return start("ExportEvaluationRuns", request.parent, metadata, ExportEvaluationRunsResponseSchema, () =>
        exportEvaluationRuns(request, deps),
      );
    },
  };
}
