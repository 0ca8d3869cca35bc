import type { DescMethod, Message } from "@bufbuild/protobuf";
import { collectionOf, resourceIdViolations, type StandardMethod, withoutInputOnly, withoutOutputOnly } from "#aip";
import { createPauses, type Ids } from "#base";
import { alreadyExists, type FieldViolation } from "#status";
import type { ResourceStore } from "#storage";
import type { ResourceDefinition } from "../define-resource.ts";
import { resourceField, stringField } from "../request-fields.ts";
import type { Resource } from "../resource.ts";
import { appOf, checkParent } from "../resource-names.ts";
import { isSystemToolName } from "../system-tools.ts";
import type { AppWriter } from "./app-writer.ts";

interface CreateDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly ids: Ids;
  readonly author: string;
}

type CreateMethod = Extract<StandardMethod, { readonly kind: "create" }>;

/** AIP-133. The id is the client's or a new UUID; the name in the body is ignored. */
export async function createResource(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: CreateMethod,
  request: Message,
  { store, writer, ids, author }: CreateDeps,
): Promise<Resource> {
  const parent = stringField(input, request, roles.parent);
  checkParent(definition, parent, { wildcards: false });
  const givenId = stringField(input, request, roles.id);
  const requestViolations = idViolations(definition, roles.id?.name ?? "", givenId);
  const name = `${parent}/${collectionOf(definition.type.patterns[0])}/${givenId || ids.uuid()}`;
  const app = appOf(name) ?? "";
  const pause = createPauses();
  const sent = writableCopy(definition, resourceField(input, request, roles.body), name);
  await pause();
  const next = await writer.write(
    app,
    async (state) => {
      if (state.entries.has(name) || (await store.get(name))) throw alreadyExists(name, definition.type.type);
      const normal = definition.rules.normalize?.(sent, app) ?? sent;
      const after = definition.rules.onCreate?.(normal, state, author) ?? normal;
      return { changes: [{ definition, name, after, fieldPrefix: `${roles.body.name}.`, requestViolations }] };
    },
    { createsApp: name === app, author },
  );
  return next.entries.get(name)?.resource ?? sent;
}

/** A copy of a client's resource without output-only and input-only fields and etag. */
export function writableCopy(definition: ResourceDefinition, sent: Resource, name: string): Resource {
  const { desc } = definition;
  const copy = withoutInputOnly(desc, withoutOutputOnly(desc, sent));
  copy.name = name;
  if ("etag" in copy) copy.etag = "";
  return copy;
}

function idViolations(definition: ResourceDefinition, field: string, id: string): readonly FieldViolation[] {
  if (id === "") return [];
  const isTaken = definition.desc.name === "Tool" && isSystemToolName(id);
  const taken = isTaken ? [{ field, description: `'${id}' is the name of a system tool.` }] : [];
  return [...resourceIdViolations(field, id), ...taken];
}
