import type { ChangelogSearch } from "./changelog-search.ts";

/** The filter of ListChangelogs (AIP-160) for changes of an app; "" matches everything. */
export function changelogFilter(app: string, { name, author, action, kind, resource }: ChangelogSearch): string {
  return [
    name && `display_name:${quoted(name)}`,
    author && `author:${quoted(author)}`,
    action && `action=${quoted(action)}`,
    kind && `resource_type=${quoted(kind)}`,
    resource && `resource=${quoted(resource === "app" ? app : `${app}/${resource}`)}`,
  ]
    .filter(Boolean)
    .join(" AND ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
