import { clone } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { etagOf, resourceTypeOf } from "#aip";
import type { Clock } from "#base";
import { notFound } from "#status";
import type { ResourceStore, ResourceWrite } from "#storage";
import type { EvaluationRecords, RunFindings } from "./contract.ts";
import { definitionOfTypeName } from "./definitions.ts";
import { fromRow, hasField, type Resource, stamp, toRow } from "./resource.ts";
import { appOf, parentNameOf } from "./resource-names.ts";
import type { AppWriter } from "./write/app-writer.ts";

interface EvaluationRecordsDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly clock: Clock;
}

/** Creates the writer of evaluation records. */
export function createEvaluationRecords({ store, writer, clock }: EvaluationRecordsDeps): EvaluationRecords {
  async function annotate(name: string, findings: RunFindings): Promise<void> {
    await writer.write(
      appOf(name) ?? "",
      async (state) => {
        const entry = state.entries.get(name);
        if (!entry?.row) throw notFound(name);
        const { definition, resource, row } = entry;
        const after = Object.assign(clone(definition.desc, resource) as Resource, findings);
        return { changes: [{ definition, name, before: { resource, row }, after, fieldPrefix: "" }] };
      },
      { isAnnotation: true },
    );
  }

  async function results(names: readonly string[]): Promise<readonly EvaluationResult[]> {
    const rows = await store.getMany(names);
    return names.flatMap((name) => {
      const row = rows.get(name);
      return row ? [fromRow(EvaluationResultSchema, row) as unknown as EvaluationResult] : [];
    });
  }

  return {
    annotate,
    results,
    run: async (name) => {
      const row = (await store.getMany([name])).get(name);
      if (!row) throw notFound(name, resourceTypeOf(EvaluationRunSchema)?.type);
      return fromRow(EvaluationRunSchema, row) as unknown as EvaluationRun;
    },
    put: async (...records) => {
      const now = clock.now();
      await store.write(records.map((record) => toPut(record, now)));
    },
  };
}

function toPut(record: Resource, now: number): ResourceWrite {
  const definition = definitionOfTypeName(record.$typeName);
  const { desc, type } = definition;
  const copy = clone(desc, record) as Resource;
  const { createTime } = copy;
  const facts = { etag: etagOf(desc, copy), createTime: createTime ? timestampMs(createTime) : now, updateTime: now };
  stamp(desc, copy, facts);
  // Keeps the nanoseconds of a time that the caller set.
  if (createTime && hasField(desc, "create_time")) copy.createTime = createTime;
  return {
    kind: "put",
    row: toRow(desc, copy, { type: type.type, parent: parentNameOf(definition, copy.name), ...facts }),
  };
}
