import { createHash } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ResourceRow } from "#storage";
import { definitionOfTypeName } from "./definitions.ts";
import { hasField, type Resource, stamp, toRow } from "./resource.ts";
import { parentNameOf } from "./resource-names.ts";

/** A row of what the server records. Runs and results have no etag of their own: their rows have that of their content. */
export function recordRow(record: Resource, now: number): ResourceRow {
  const definition = definitionOfTypeName(record.$typeName);
  const { desc, type } = definition;
  const copy = { ...record };
  const { createTime } = copy;
  const facts = { etag: "", createTime: createTime ? timestampMs(createTime) : now, updateTime: now };
  stamp(desc, copy, facts);
  // Keeps the nanoseconds of a time that the caller set.
  if (createTime && hasField(desc, "create_time")) copy.createTime = createTime;
  const row = toRow(desc, copy, { type: type.type, parent: parentNameOf(definition, copy.name), ...facts });
  return { ...row, etag: createHash("sha256").update(row.body).digest("base64url").slice(0, 22) };
}
