import type { ChangelogSearch } from "./changelog-search.ts";

/** The filter of ListChangelogs (AIP-160); "" matches everything. */
export function changelogFilter({ name, author, action, kind }: ChangelogSearch): string {
  return [
    name && `display_name:${quoted(name)}`,
    author && `author:${quoted(author)}`,
    action && `action=${quoted(action)}`,
    kind && `resource_type=${quoted(kind)}`,
  ]
    .filter(Boolean)
    .join(" AND ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
