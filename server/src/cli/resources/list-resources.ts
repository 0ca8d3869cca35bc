import type { JsonObject } from "@bufbuild/protobuf";
import type { CommandInput } from "../command.ts";
import { callMethod } from "./call-method.ts";
import type { CollectionMethod } from "./collections.ts";

const PAGE_SIZE = 1_000;

/** What of a collection is listed. */
interface Listing {
  readonly parent: string;
  /** At most so many. */
  readonly limit: number;
  /** As in the API. */
  readonly filter?: string;
  readonly orderBy?: string;
}

/** Lists a collection page by page. */
export async function listResources(
  found: CollectionMethod<"list">,
  { parent, limit, filter, orderBy }: Listing,
  input: CommandInput,
): Promise<readonly JsonObject[]> {
  const { roles } = found;
  const rows: JsonObject[] = [];
  for (let token = ""; rows.length < limit; ) {
    const page = await callMethod(found, input, {
      [roles.parent.jsonName]: parent,
      ...(roles.filter && filter !== undefined && { [roles.filter.jsonName]: filter }),
      ...(roles.orderBy && orderBy !== undefined && { [roles.orderBy.jsonName]: orderBy }),
      ...(roles.pageSize && { [roles.pageSize.jsonName]: Math.min(limit - rows.length, PAGE_SIZE) }),
      ...(roles.pageToken && token !== "" && { [roles.pageToken.jsonName]: token }),
    });
    rows.push(...((page[roles.items.jsonName] ?? []) as JsonObject[]));
    token = String(page[roles.nextPageToken.jsonName] ?? "");
    if (token === "") break;
  }
  return rows.slice(0, limit);
}
