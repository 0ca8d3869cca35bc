/** A page of a list of the API. */
interface Page<Item> {
  readonly items: readonly Item[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

/** The items of all pages of a list. */
export async function allPages<Item>(read: (pageToken: string) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let pageToken = ""; ; ) {
    const { items, nextPageToken } = await read(pageToken);
    found.push(...items);
    if (nextPageToken === "") return found;
    pageToken = nextPageToken;
  }
}

/** The first items of a list, at most `limit`, from as many pages as they need; and whether there are more. `read` gets how many a page should have, at most 1,000. */
export async function firstItems<Item>(
  limit: number,
  read: (pageToken: string, pageSize: number) => Promise<Page<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const found: Item[] = [];
  let pageToken = "";
  do {
    const page = await read(pageToken, Math.min(limit - found.length, 1_000));
    found.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && found.length < limit);
  return { items: found.slice(0, limit), hasMore: pageToken !== "" || found.length > limit };
}
