import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { StandardMethod } from "#aip";
import { notFound } from "#status";
import type { ReadContext, ResourceDefinition } from "../define-resource.ts";
import { stringField } from "../request-fields.ts";
import { fromLargeRow, type Resource } from "../resource.ts";
import { checkName, parentNameOf } from "../resource-names.ts";
import { unsetSettings } from "../write/security-settings-writer.ts";

type GetMethod = Extract<StandardMethod, { readonly kind: "get" }>;

/** AIP-131. */
export async function getResource(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: GetMethod,
  request: Message,
  context: ReadContext,
): Promise<Resource> {
  const name = stringField(input, request, roles.name);
  checkName(definition, name, roles.name.name);
  const resource = await find(definition, name, context);
  if (!resource) throw notFound(name, definition.type.type);
  const [presented] = (await definition.rules.present?.([resource], context, request)) ?? [resource];
  return presented ?? resource;
}

async function find(
  definition: ResourceDefinition,
  name: string,
  { store }: ReadContext,
): Promise<Resource | undefined> {
  const row = await store.get(name);
  if (row) return row.type === definition.type.type ? fromLargeRow(definition.desc, row) : undefined;
  if (definition.scope === "location") return unsetSettings(name);
  const parent = parentNameOf(definition, name);
  const virtual = definition.rules.virtual?.(parent).find((each) => each.name === name);
  return virtual && (await store.get(parent)) ? virtual : undefined;
}
