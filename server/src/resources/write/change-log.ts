import { isDeepStrictEqual } from "node:util";
import { create, type DescMessage, toJson } from "@bufbuild/protobuf";
import { type AppVersion, AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { type Changelog, ChangelogSchema } from "@frontdesk/protos/ces/changelog";
import { idOf, isOutputOnly, resourceTypeOf, shallowCopy } from "#aip";
import { type JsonObject, mapWithPauses } from "#base";
import type { ResourceStore, ResourceWrite } from "#storage";
import { type Resource, timestampFromFractionalMs, toRow } from "../resource.ts";
import type { Change } from "./plan.ts";

/** Digits of the sequence number in a change log id: names then sort as the changes happened. */
const ID_DIGITS = 12;

interface LogContext {
  readonly store: ResourceStore;
  readonly app: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly author: string;
}

/**
 * The log entries of changes, in order, each written on the condition that its number is unused: of two writers with the same state, one
 * fails and makes a new plan. So the log also serialises writers that share a store.
 */
export async function logWrites(changes: readonly Change[], context: LogContext): Promise<readonly ResourceWrite[]> {
  const main = changes.filter(({ isDependent }) => !isDependent);
  const dependents = changes.filter(({ isDependent }) => isDependent);
  const last = await lastSequenceNumber(context);
  return mapWithPauses(main.entries(), ([index, change]) =>
    toWrite(describeChange(change, index === 0 ? dependents : [], context), last + index + 1, context),
  );
}

async function lastSequenceNumber({ store, app }: LogContext): Promise<number> {
  const type = resourceTypeOf(ChangelogSchema)?.type ?? "";
  const { rows } = await store.list({ type, parent: app, orderBy: "name", descending: true, limit: 1 });
  return rows[0] ? Number(idOf(rows[0].name)) : 0;
}

function describeChange(change: Change, dependents: readonly Change[], { author, now }: LogContext): Changelog {
  const { definition, name, before, after } = change;
  const original = before && toStruct(definition.desc, before.resource);
  const changed = after && toStruct(definition.desc, after);
  return create(ChangelogSchema, {
    author,
    displayName: after?.displayName || before?.resource.displayName || idOf(name),
    description: describe(change, original, changed),
    resource: name,
    resourceType: definition.desc.name,
    action: before ? (after ? "Update" : "Delete") : "Create",
    originalResource: original,
    newResource: changed,
    dependentResources: dependents.flatMap((each) => (each.after ? [toStruct(each.definition.desc, each.after)] : [])),
    createTime: timestampFromFractionalMs(now),
  });
}

function describe({ definition: { desc, type } }: Change, original?: JsonObject, changed?: JsonObject): string {
  if (!original) return `Created ${type.singular}.`;
  if (!changed) return `Deleted ${type.singular}.`;
  const fields = desc.fields.filter((field) => {
    if (isOutputOnly(field) || field.name === "etag") return false;
    return !isDeepStrictEqual(original[field.jsonName], changed[field.jsonName]);
  });
  return `Updated ${fields.map(({ name }) => name).join(", ")}.`;
}

/** The resource as JSON. A version is without its snapshot, which would repeat the app. */
function toStruct(desc: DescMessage, resource: Resource): JsonObject {
  if (resource.$typeName !== AppVersionSchema.typeName) return toJson(desc, resource) as JsonObject;
  const copy = shallowCopy(resource as unknown as AppVersion);
  delete copy.snapshot;
  return toJson(AppVersionSchema, copy) as JsonObject;
}

function toWrite(entry: Changelog, sequence: number, { app, now }: LogContext): ResourceWrite {
  entry.name = `${app}/changelogs/${String(sequence).padStart(ID_DIGITS, "0")}`;
  entry.sequenceNumber = BigInt(sequence);
  const type = resourceTypeOf(ChangelogSchema)?.type ?? "";
  const facts = { type, parent: app, createTime: now, updateTime: now, etag: String(sequence) };
  return { kind: "put", row: toRow(ChangelogSchema, entry as unknown as Resource, facts), ifEtag: "" };
}
