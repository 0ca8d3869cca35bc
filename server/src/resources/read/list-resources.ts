import { create, type DescMethod, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  decodePageToken,
  encodePageToken,
  hasWildcard,
  type OrderKey,
  pageSizeOf,
  parseOrderBy,
  requestChecksum,
  type StandardMethod,
  WILDCARD,
} from "#aip";
import { definedFields } from "#base";
import { notFound } from "#status";
import type { ListOrder, ReadContext, ResourceDefinition } from "../define-resource.ts";
import { numberField, stringField } from "../request-fields.ts";
import type { Resource } from "../resource.ts";
import { appOf, checkParent } from "../resource-names.ts";
import { compileListFilter } from "./list-filter.ts";
import { type ScanQuery, scan } from "./scan.ts";

type ListMethod = Extract<StandardMethod, { readonly kind: "list" }>;

interface ListContext extends ReadContext {
  readonly shown?: ScanQuery["shown"];
}

/** AIP-132, with paging (158), filter (160), order, and `-` as a wildcard in the parent (159). */
export async function listResources(
  definition: ResourceDefinition,
  { input, output }: DescMethod,
  roles: ListMethod,
  request: Message,
  { store, shown }: ListContext,
): Promise<Message> {
  const context = { store };
  const parent = stringField(input, request, roles.parent);
  checkParent(definition, parent, { wildcards: true });
  const pageSize = pageSizeOf(numberField(input, request, roles.pageSize));
  const checksum = requestChecksum(input, request);
  const position = decodePageToken(stringField(input, request, roles.pageToken), checksum, "sorted");
  const order = listOrder(definition, stringField(input, request, roles.orderBy));
  const filter = await compileListFilter(definition, input, request, context);
  await checkParentExists(parent, context);
  const query: ScanQuery = {
    definition,
    parent,
    order,
    filter,
    pageSize,
    ...definedFields({ shown, after: position }),
  };
  const { resources, last } = await scan(query, context);
  const presented = (await definition.rules.present?.(resources, context, request)) ?? resources;
  return toResponse(output, roles, presented, last && encodePageToken([...last], checksum));
}

/** A parent without wildcards must exist; locations always do. With a wildcard below an app, the app must exist. */
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

/** Lists of the agent service can be ordered by these two fields (their order_by comments). */
const DEFAULT_ORDER: ListOrder = { fields: ["name", "create_time"], descendingByDefault: [], fallback: "name" };

/** The order of a list: the first key decides, names break ties. */
function listOrder({ rules }: ResourceDefinition, orderBy: string): OrderKey {
  const { fields, descendingByDefault, fallback } = rules.order ?? DEFAULT_ORDER;
  const [requested] = parseOrderBy(orderBy, fields, descendingByDefault);
  const [standard] = parseOrderBy(fallback, fields, descendingByDefault);
  return requested ?? standard ?? { path: "name", descending: false };
}
