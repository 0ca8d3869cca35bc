const APP = "/console/projects/[^/]+/locations/[^/]+/apps/[^/]+";

/** Query parameters of a page that were renamed, and values that were. */
interface RenamedQuery {
  readonly path: RegExp;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const RENAMED_QUERIES: readonly RenamedQuery[] = [
  {
    path: new RegExp(`^${APP}/conversations/?$`),
    names: { words: "transcript", id: "session", more: "filter" },
    values: { view: { numbers: "metrics" }, time: { between: "custom" }, outcome: { stopped: "guardrail" } },
  },
  { path: new RegExp(`^${APP}/settings/?$`), values: { tab: { records: "logging" } } },
  { path: new RegExp(`^${APP}/guardrails/[^/]+/?$`), values: { tab: { check: "condition" } } },
];

/**
 * The path and query that an address of an earlier release has today; undefined for an address that is current. Bookmarks and
 * links keep working: the router redirects to the result and keeps the hash.
 *
 * @param query the query string with its `?`, or ""
 */
export function currentAddress(path: string, query: string): string | undefined {
  const [newPath, newQuery] = [currentPath(path), currentQuery(path, query)];
  return newPath === path && newQuery === query ? undefined : newPath + newQuery;
}

function currentPath(path: string): string {
  if (/^\/console\/data\/?$/.test(path)) return "/console/dataAgents";
  return new RegExp(`^${APP}/?$`).test(path) ? `${path.replace(/\/$/, "")}/simulator` : path;
}

function currentQuery(path: string, query: string): string {
  const renamed = RENAMED_QUERIES.find((page) => page.path.test(path));
  if (!renamed || query === "") return query;
  const before = [...new URLSearchParams(query)];
  const after = before.map(([name, value]) => [
    renamed.names?.[name] ?? name,
    renamed.values?.[name]?.[value] ?? value,
  ]);
  return JSON.stringify(before) === JSON.stringify(after) ? query : `?${new URLSearchParams(after)}`;
}
