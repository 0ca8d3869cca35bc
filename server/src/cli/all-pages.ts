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
