import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import type { StandardMethod } from "#aip";
import { failedPrecondition, notFound } from "#status";
import type { ResourceRow, ResourceStore, ResourceWrite } from "#storage";
import type { AppState } from "../app-state.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import { booleanField, stringField } from "../request-fields.ts";
import { fromRow, type Resource } from "../resource.ts";
import { appOf, checkName } from "../resource-names.ts";
import type { AppWriter } from "./app-writer.ts";
import type { Plan } from "./plan.ts";
import { referenceRemovals, referrersOf } from "./plan.ts";
import { checkEtag } from "./update-resource.ts";

type DeleteMethod = Extract<StandardMethod, { readonly kind: "delete" }>;

/** Records of evaluation runs: deleted without lock and change log. */
const RECORDS: ReadonlySet<string> = new Set(["EvaluationRun", "EvaluationResult"]);
/** Referrers in an error message, at most. */
const MAX_LISTED_REFERRERS = 10;

/**
 * AIP-135. A resource with referrers is FAILED_PRECONDITION with their names; with `force` the references are removed in the
 * same transaction. An app is deleted with everything below it.
 */
export async function deleteResource(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: DeleteMethod,
  request: Message,
  deps: { readonly store: ResourceStore; readonly writer: AppWriter; readonly author: string },
): Promise<Empty> {
  const name = stringField(input, request, roles.name);
  checkName(definition, name, roles.name.name);
  const etag = stringField(input, request, roles.etag);
  const force = booleanField(input, request, roles.force);
  if (RECORDS.has(definition.desc.name)) await deleteRecord(definition, name, deps.store);
  else {
    const makePlan = async (state: AppState): Promise<Plan> => {
      const row = state.entries.get(name)?.row ?? (await deps.store.get(name));
      if (!row || row.type !== definition.type.type) throw notFound(name, definition.type.type);
      const resource = fromRow(definition.desc, row);
      checkEtag(etag, resource);
      return planDeletion(definition, resource, row, state, { force, canForce: roles.force !== undefined });
    };
    await deps.writer.write(appOf(name) ?? "", makePlan, { author: deps.author });
  }
  return create(EmptySchema);
}

async function deleteRecord(definition: ResourceDefinition, name: string, store: ResourceStore): Promise<void> {
  const row = await store.get(name);
  if (!row) throw notFound(name, definition.type.type);
  await store.write([
    { kind: "delete", name, type: definition.type.type },
    ...cascade(definition, fromRow(definition.desc, row)),
  ]);
}

function cascade({ rules }: ResourceDefinition, resource: Resource): readonly ResourceWrite[] {
  return (rules.cascade?.(resource) ?? []).map((each) =>
    each.endsWith("/") ? { kind: "delete-tree", prefix: each } : { kind: "delete", name: each },
  );
}

async function planDeletion(
  definition: ResourceDefinition,
  resource: Resource,
  row: ResourceRow,
  state: AppState,
  options: { readonly force: boolean; readonly canForce: boolean },
): Promise<Plan> {
  const { name } = resource;
  const targets = new Set([name]);
  const deletion = { definition, name, before: { resource, row }, fieldPrefix: "" };
  const deletedTrees = definition.rules.cascade?.(resource) ?? [];
  if (name === state.name) return { changes: [deletion], deletedTrees };
  const referrers = await referrersOf(state, targets, definition.type.type);
  if (referrers.length > 0 && !options.force) throw referencedError(name, referrers, options.canForce);
  return { changes: [deletion, ...(await referenceRemovals(state, targets))], deletedTrees };
}

function referencedError(
  name: string,
  referrers: readonly { readonly name: string; readonly paths: readonly string[] }[],
  canForce: boolean,
) {
  const named = referrers.slice(0, MAX_LISTED_REFERRERS).map((each) => `${each.name} (${each.paths.join(", ")})`);
  const more = referrers.length > named.length ? ` and ${referrers.length - named.length} more` : "";
  const advice = canForce
    ? "Remove the references first, or delete with force=true to have them removed."
    : "Remove the references first.";
  return failedPrecondition(`'${name}' is still referenced by ${named.join("; ")}${more}. ${advice}`, {
    reason: "RESOURCE_IN_USE",
    metadata: { name, referrers: referrers.map((each) => each.name).join(",") },
  });
}
