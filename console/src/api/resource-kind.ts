import type { DescMessage, Message } from "@bufbuild/protobuf";

/** What every resource of an app has. */
export type Resource = Message & { readonly name: string; readonly displayName: string; readonly etag: string };

/** The collections of an app that the console edits, as resource names spell them. */
export type Collection = "agents" | "tools" | "toolsets" | "guardrails" | "examples" | "deployments" | "versions";

/** How one kind of resource is listed, read and written, and how people call it. */
export interface ResourceKind<Kind extends Resource = Resource> {
  readonly collection: Collection | "apps";
  /** E.g. "agent"; also the name of its field in requests, by which refusals name its fields. */
  readonly singular: string;
  readonly field: string;
  readonly schema: DescMessage;
  list(parent: string): Promise<readonly Kind[]>;
  get(name: string): Promise<Kind>;
  create(parent: string, resource: Kind): Promise<Kind>;
  /** Writes the fields of the mask; a stale etag is refused (AIP-154). */
  update(resource: Kind, mask: readonly string[]): Promise<Kind>;
  /** With `force` the references of others to it go, too. */
  remove(resource: Kind, force: boolean): Promise<void>;
}

/** Reads a list to its end. */
export async function allPages<Kind>(
  page: (pageToken: string) => Promise<{ readonly items: readonly Kind[]; readonly next: string }>,
): Promise<readonly Kind[]> {
  const items: Kind[] = [];
  let token = "";
  do {
    const { items: more, next } = await page(token);
    items.push(...more);
    token = next;
  } while (token !== "");
  return items;
}
