import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { SecuritySettingsSchema } from "@frontdesk/protos/ces/security_settings";
import { etagOf, type StandardMethod } from "#aip";
import type { Clock } from "#base";
import { aborted } from "#status";
import { type ResourceStore, StaleEtagError } from "#storage";
import type { ResourceDefinition } from "../define-resource.ts";
import { maskPaths, resourceField } from "../request-fields.ts";
import { fromRow, type Resource, stamp, toRow } from "../resource.ts";
import { checkName, parentNameOf } from "../resource-names.ts";
import { checkEtag, updated } from "./update-resource.ts";

type UpdateMethod = Extract<StandardMethod, { readonly kind: "update" }>;

/** A singleton that was never written: it exists and is empty (AIP-156). */
export function unsetSettings(name: string): Resource {
  return create(SecuritySettingsSchema, { name });
}

/** Updates the settings of a location; creates their row if needed. They are outside apps, so there is no change log. */
export async function updateSettings(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: UpdateMethod,
  request: Message,
  { store, clock }: { readonly store: ResourceStore; readonly clock: Clock },
): Promise<Resource> {
  const incoming = resourceField(input, request, roles.body);
  const { name } = incoming;
  checkName(definition, name, `${roles.body.name}.name`);
  const row = await store.get(name);
  const stored = row ? fromRow(definition.desc, row) : unsetSettings(name);
  checkEtag(incoming.etag, stored);
  const after = await updated(definition, stored, incoming, maskPaths(input, request, roles.mask), roles.mask?.name);
  const now = clock.now();
  const times = { createTime: row?.createTime ?? now, updateTime: now, etag: etagOf(definition.desc, after) };
  stamp(definition.desc, after, times);
  const facts = { type: definition.type.type, parent: parentNameOf(definition, name), ...times };
  try {
    await store.write([{ kind: "put", row: toRow(definition.desc, after, facts), ifEtag: row?.etag ?? "" }]);
  } catch (error) {
    if (error instanceof StaleEtagError) throw aborted(`'${name}' was changed by another request; try again.`);
    throw error;
  }
  return after;
}
