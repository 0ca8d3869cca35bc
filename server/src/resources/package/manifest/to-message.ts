import { type DescMessage, fromJson, type MessageShape, type JsonObject as ProtobufJson } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import type { Findings } from "../findings.ts";
import { checkJson } from "./check-json.ts";
import type { JsonProblems } from "./json-problems.ts";
import { liftOldThresholds } from "./old-shapes.ts";

/** A message made from a manifest, or what stands in its way (each with file and field). */
export type Made<Schema extends DescMessage> =
  | { readonly kind: "made"; readonly message: MessageShape<Schema> }
  | { readonly kind: "failed"; readonly reasons: readonly string[] };

/** The message a manifest describes. What it says beyond the message becomes a warning naming file and field. */
export function toMessage<Schema extends DescMessage>(
  schema: Schema,
  json: JsonObject,
  path: string,
  findings: Findings,
): Made<Schema> {
  const problems: JsonProblems = { remarks: [], wrong: [] };
  const checked = checkJson(schema, liftOldThresholds(json), problems);
  for (const { path: field, reason } of problems.remarks) findings.warnings.push(`${path}: ${field}: ${reason}.`);
  if (problems.wrong.length > 0) {
    return { kind: "failed", reasons: problems.wrong.map(({ path: field, reason }) => `${path}: ${field}: ${reason}`) };
  }
  return read(schema, checked, path);
}

function read<Schema extends DescMessage>(schema: Schema, json: JsonObject, path: string): Made<Schema> {
  try {
    return { kind: "made", message: fromJson(schema, json as ProtobufJson) };
  } catch (error) {
    // Two members of one oneof, for example: each is fine by itself.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "failed", reasons: [`${path}: ${reason}`] };
  }
}
