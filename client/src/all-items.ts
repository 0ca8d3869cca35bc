import type { Message } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";

/** What all responses of lists have. */
export type Page = Message & { readonly nextPageToken: string };

/** The items of a page: messages of its one field that holds several. */
export type ItemOf<Response> = {
  [Field in keyof Response]-?: Response[Field] extends readonly (infer Item extends Message)[] ? Item : never;
}[keyof Response];

/** A method that lists page by page, such as `client.apps.listApps`. */
export type ListMethod<Request, Response extends Page> = (request: Request, options?: CallOptions) => Promise<Response>;

/**
 * All items of a list, page by page; the next page is asked for when the items of the one before were taken. `request.pageSize` says how many come at a time, not
 * how many there are. Rejects as the method does.
 */
export async function* allItems<Request extends object, Response extends Page>(
  list: ListMethod<Request, Response>,
  request: Request,
  options?: CallOptions,
): AsyncGenerator<ItemOf<Response>> {
  let pageToken: string | undefined;
  do {
    const page: Response = await list(pageToken ? ({ ...request, pageToken } as Request) : request, options);
    yield* itemsOf(page);
    pageToken = page.nextPageToken;
  } while (pageToken);
}

/** Lists of texts, such as `unreachable`, are no items, nor are fields of a newer server, which are below `$unknown`. */
function itemsOf<Response extends Page>(page: Response): readonly ItemOf<Response>[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(page);
  for (const [name, value] of fields)
    if (!name.startsWith("$") && Array.isArray(value) && typeof value[0] === "object") return value;
  return [];
}
