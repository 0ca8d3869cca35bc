import { clone } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { etagOf } from "#aip";
import type { Clock } from "#base";
import type { ResourceStore, ResourceWrite } from "#storage";
import type { EvaluationRecords } from "./contract.ts";
import { definitionOfTypeName } from "./definitions.ts";
import { hasField, type Resource, stamp, toRow } from "./resource.ts";
import { parentNameOf } from "./resource-names.ts";

/** Creates the writer of runs and results. */
export function createEvaluationRecords(store: ResourceStore, clock: Clock): EvaluationRecords {
  return {
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
  const times = {
    etag: etagOf(desc, copy),
    createTime: copy.createTime ? timestampMs(copy.createTime) : now,
    updateTime: now,
  };
  const { createTime } = copy;
  stamp(desc, copy, times);
  // A time that the caller set is kept to the nanosecond.
  if (createTime && hasField(desc, "create_time")) copy.createTime = createTime;
  return {
    kind: "put",
    row: toRow(desc, copy, { type: type.type, parent: parentNameOf(definition, copy.name), ...times }),
  };
}
