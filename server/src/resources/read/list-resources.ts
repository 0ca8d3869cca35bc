import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  decodePageToken,
  encodePageToken,
  hasWildcard,
  pageSizeOf,
  requestChecksum,
  type StandardMethod,
  WILDCARD,
} from "#aip";
import { notFound } from "#status";
import { appOf } from "../app-name.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import { numberField, stringField } from "../request-fields.ts";
import type { Resource } from "../resource.ts";
import { checkParent } from "../resource-names.ts";
import { compileListFilter } from "./list-filter.ts";
import { listOrder } from "./list-order.ts";
import type { ReadContext } from "./read-context.ts";
import { isPosition, type ScanQuery, scan } from "./scan.ts";

type ListMethod = Extract<StandardMethod, { readonly kind: "list" }>;

/** AIP-132, with paging (158), filter (160), order, and `-` as a parent that stands for all (159). */
export async function listResources(
  definition: ResourceDefinition,
  { input, output }: DescMethod,
  roles: ListMethod,
  request: Message,
  context: ReadContext,
): Promise<Message> {
  const parent = stringField(input, request, roles.parent);
  checkParent(definition, parent, { wildcards: true });
  const pageSize = pageSizeOf(numberField(input, request, roles.pageSize));
  const checksum = requestChecksum(input, request);
  const position = decodePageToken(stringField(input, request, roles.pageToken), checksum);
  const order = listOrder(definition, stringField(input, request, roles.orderBy));
  const filter = await compileListFilter(definition, input, request, context);
  await checkParentExists(parent, context);
  const query: ScanQuery = {
    definition,
    parent,
    order,
    filter,
    pageSize,
    ...(isPosition(position) && { after: position }),
  };
  const { resources, last } = await scan(query, context);
  const presented = (await definition.rules.present?.(resources, context, request)) ?? resources;
  return toResponse(output, roles, presented, last && encodePageToken([...last], checksum));
}

/** A parent that is named must be there; locations always are. Below a wildcard the app must be there. */
async function checkParentExists(parent: string, { store }: ReadContext): Promise<void> {
  const known = hasWildcard(parent) ? appOf(parent) : parent;
  if (known === undefined || appOf(known) === undefined || known.endsWith(`/${WILDCARD}`) || hasWildcard(known)) return;
  if (!(await store.get(known))) throw notFound(known);
}

function toResponse(
  output: DescMethod["output"],
  roles: ListMethod,
  resources: readonly Resource[],
  nextPageToken?: string,
): Message {
  const response = reflect(output, create(output));
  if (roles.items.fieldKind === "list") {
    const items = response.get(roles.items);
    for (const resource of resources) items.add(reflect(roles.resource, resource));
  }
  if (nextPageToken !== undefined) response.set(roles.nextPageToken, nextPageToken);
  return response.message;
}
