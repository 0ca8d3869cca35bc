import type { DescMethod, Message } from "@bufbuild/protobuf";
import { applyUpdate, changedImmutable, etagOf, keepUnknownFields, type StandardMethod } from "#aip";
import { createPauses } from "#base";
import { aborted, invalidArgument, notFound } from "#status";
import type { ResourceStore } from "#storage";
import type { ResourceDefinition } from "../define-resource.ts";
import { maskPaths, resourceField } from "../request-fields.ts";
import { fromRow, type Resource } from "../resource.ts";
import { appOf, checkName } from "../resource-names.ts";
import type { AppWriter } from "./app-writer.ts";
import { writableCopy } from "./create-resource.ts";

type UpdateMethod = Extract<StandardMethod, { readonly kind: "update" }>;

/** AIP-134. An empty etag overwrites; an etag that is not the stored one is ABORTED (AIP-154). An update without a difference writes nothing. */
export async function updateResource(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: UpdateMethod,
  request: Message,
  { store, writer, author }: { readonly store: ResourceStore; readonly writer: AppWriter; readonly author: string },
): Promise<Resource> {
  const incoming = resourceField(input, request, roles.body);
  const { name } = incoming;
  checkName(definition, name, `${roles.body.name}.name`);
  const app = appOf(name) ?? "";
  const paths = maskPaths(input, request, roles.mask);
  const next = await writer.write(
    app,
    async (state) => {
      const row = state.entries.get(name)?.row ?? (await store.get(name));
      if (row?.type !== definition.type.type) throw notFound(name, definition.type.type);
      const resource = state.entries.get(name)?.resource ?? fromRow(definition.desc, row);
      checkEtag(incoming.etag, resource);
      const after = await updated(definition, resource, incoming, paths, roles.mask?.name);
      const normal = definition.rules.normalize?.(after, app) ?? after;
      if (etagOf(definition.desc, normal) === row.etag) return { changes: [] };
      const before = { resource, row };
      return { changes: [{ definition, name, before, after: normal, fieldPrefix: `${roles.body.name}.` }] };
    },
    { mayUnlock: name === app, author },
  );
  return next.entries.get(name)?.resource ?? (await storedResource(definition, name, store));
}

/** A resource that an update left as it was and that is not in its app's state. */
async function storedResource(definition: ResourceDefinition, name: string, store: ResourceStore): Promise<Resource> {
  const row = await store.get(name);
  if (!row) throw notFound(name, definition.type.type);
  return fromRow(definition.desc, row);
}

/** The stored resource with an update applied, its unknown fields kept; other calls run between the steps for a long one. Changed immutable fields and unknown paths are INVALID_ARGUMENT. */
export async function updated(
  definition: ResourceDefinition,
  stored: Resource,
  incoming: Resource,
  paths: readonly string[],
  maskField = "update_mask",
): Promise<Resource> {
  const { desc } = definition;
  const pause = createPauses();
  const sent = writableCopy(definition, incoming, stored.name);
  await pause();
  const after = applyUpdate(desc, stored, sent, paths, maskField);
  await pause();
  keepUnknownFields(desc, stored, after);
  await pause();
  const violations = changedImmutable(desc, stored, after);
  if (violations.length > 0) throw invalidArgument(violations);
  await pause();
  return after;
}

/** ABORTED when a client's etag is not the stored one. */
export function checkEtag(given: string | undefined, { name, etag }: Resource): void {
  if (!given || given === etag) return;
  throw aborted(`'${name}' was changed since it was read; read it again and repeat the change.`, {
    reason: "ETAG_MISMATCH",
    metadata: { name, etag: etag ?? "" },
  });
}
