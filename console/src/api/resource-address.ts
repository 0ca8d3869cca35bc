/** The page of a resource: pages mirror resource names. */
export function addressOf(name: string): string {
  return `/console/${name}`;
}

/** The last part of a resource name. */
export function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** The app of something inside it. */
export function appOf(name: string): string {
  return name.split("/").slice(0, 6).join("/");
}

/** What people call a resource: its display name, else its id. */
export function titleOf({ name, displayName }: { readonly name: string; readonly displayName: string }): string {
  return displayName || idOf(name);
}
