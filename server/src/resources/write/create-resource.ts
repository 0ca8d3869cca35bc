import type { DescMethod, Message } from "@bufbuild/protobuf";
import { collectionOf, resourceIdViolations, type StandardMethod, withoutInputOnly, withoutOutputOnly } from "#aip";
import { type Ids, mapWithPauses } from "#base";
import { alreadyExists, type FieldViolation } from "#status";
import type { ResourceStore } from "#storage";
import type { ResourceDefinition } from "../define-resource.ts";
import { resourceField, stringField } from "../request-fields.ts";
import type { Resource } from "../resource.ts";
import { appOf, checkParent } from "../resource-names.ts";
import { isSystemToolName } from "../system-tools.ts";
import type { AppWriter } from "./app-writer.ts";
import type { Change } from "./plan.ts";

interface CreateDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly ids: Ids;
  readonly author: string;
}

type CreateMethod = Extract<StandardMethod, { readonly kind: "create" }>;

/**
 * AIP-133, of one or several resources of a parent in one transaction: all are made, or none. Ids are the client's or new UUIDs; names in bodies are
 * ignored. `requests` are of the method, and have the same parent.
 */
export async function createResources(
  definition: ResourceDefinition,
  { input }: DescMethod,
  roles: CreateMethod,
  requests: readonly [Message, ...Message[]],
  { store, writer, ids, author }: CreateDeps,
): Promise<readonly Resource[]> {
  const parent = stringField(input, requests[0], roles.parent);
  checkParent(definition, parent, { wildcards: false });
  const collection = `${parent}/${collectionOf(definition.type.patterns[0])}`;
  const wanted = await mapWithPauses(requests, (request) => {
    const id = stringField(input, request, roles.id);
    const name = `${collection}/${id || ids.uuid()}`;
    const sent = writableCopy(definition, resourceField(input, request, roles.body), name);
    return { name, sent, requestViolations: idViolations(definition, roles.id?.name ?? "", id) };
  });
  const first = wanted[0]?.name ?? "";
  const app = appOf(first) ?? "";
  const next = await writer.write(
    app,
    async (state) => {
      const changes = await mapWithPauses(wanted, async ({ name, sent, requestViolations }): Promise<Change> => {
        if (state.entries.has(name) || (await store.get(name))) throw alreadyExists(name, definition.type.type);
        const normal = definition.rules.normalize?.(sent, app) ?? sent;
        const after = definition.rules.onCreate?.(normal, state, author) ?? normal;
        return { definition, name, after, fieldPrefix: `${roles.body.name}.`, requestViolations };
      });
      return { changes };
    },
    { createsApp: first === app, author },
  );
  return wanted.map(({ name, sent }) => next.entries.get(name)?.resource ?? sent);
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
