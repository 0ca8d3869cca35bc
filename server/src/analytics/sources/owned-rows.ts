import { decodePageToken, encodePageToken, pageSizeOf } from "#aip";
import { definedFields } from "#base";
import { aborted } from "#status";
import { type ResourceRow, type ResourceStore, StaleEtagError } from "#storage";
import { PAGES } from "../agents/list-agents.ts";

/** Whether a caller is shown what somebody brought. */
export type ShownTo = (name: string, owner: string) => boolean | Promise<boolean>;

const ROWS_AT_A_TIME = 200;

/** All rows of a type below a location, newest first: a project has a thousand at most. `parent` may have `-` as location. */
export async function allRows(
  store: Pick<ResourceStore, "list">,
  type: string,
  parent: string,
): Promise<readonly ResourceRow[]> {
  const rows: ResourceRow[] = [];
  let after: readonly [string | number, string] | undefined;
  do {
    const page = await store.list({
      ...{ type, parent, orderBy: "create_time", descending: true, limit: ROWS_AT_A_TIME },
      ...definedFields({ after }),
    });
    rows.push(...page.rows);
    after = page.last;
  } while (after);
  return rows;
}

/** ABORTED where the row is not as it was read. */
export async function putRow(store: Pick<ResourceStore, "write">, row: ResourceRow, ifEtag: string): Promise<void> {
  await store.write([{ kind: "put", row, ifEtag }]).catch((error: unknown) => {
    if (!(error instanceof StaleEtagError)) throw error;
    throw aborted(`'${row.name}' was changed meanwhile. Read it again, then repeat the change.`);
  });
}

/** What a list request asks for. */
interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly checksum: string;
}

/** A page of what the caller is shown; the token is "" on the last one. */
export async function shownPage<Item extends { readonly name: string }>(
  items: readonly Item[],
  ownerOf: (item: Item) => string,
  { pageSize, pageToken, checksum }: PageRequest,
  isShown: ShownTo | undefined,
): Promise<{ readonly items: readonly Item[]; readonly nextPageToken: string }> {
  const size = pageSizeOf(pageSize, PAGES);
  const after = decodePageToken(pageToken, checksum, "number");
  const begun = after ?? 0;
  const shown = await Promise.all(items.map((item) => isShown?.(item.name, ownerOf(item)) ?? true));
  const rest = items.filter((_, at) => shown[at]).slice(begun);
  return {
    items: rest.slice(0, size),
    nextPageToken: rest.length > size ? encodePageToken(begun + size, checksum) : "",
  };
}
