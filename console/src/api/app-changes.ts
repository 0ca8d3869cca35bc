import { queryOptions, useQuery } from "@tanstack/react-query";
import { readRest } from "./rest.ts";

/** Milliseconds between two polls of the changelog. */
const POLL_INTERVAL_MS = 5_000;

/** The value when the changelog cannot be read: the server is down, or the app was deleted. */
const UNREADABLE = "";

/**
 * Refreshes what was read of an app while the caller is mounted and its tab is visible. It polls one small value: the name of the
 * newest changelog entry. When that differs, every query whose meta names the app in `refreshWithApp` is fetched again, also after
 * the user's own changes.
 */
export function useAppChanges(app: string): void {
  useQuery({ ...latestChangeQuery(app), enabled: app !== "", notifyOnChangeProps: [] });
}

/** The name of the newest changelog entry of an app. It must be read before the queries that it refreshes. */
export function latestChangeQuery(app: string) {
  return queryOptions({
    queryKey: ["last-change", app],
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<string>(queryKey);
      const last = await readLatestChange(app, signal);
      const isOther = before !== undefined && before !== last;
      if (isOther) void client.invalidateQueries({ predicate: ({ meta }) => meta?.refreshWithApp === app });
      return last;
    },
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
    // If the cache dropped it, a change in the meantime would go unnoticed.
    gcTime: Number.POSITIVE_INFINITY,
  });
}

interface LogPage {
  readonly changelogs?: readonly { readonly name: string }[];
}

/** Entries contain the whole resource before and after, so only the name is requested. */
async function readLatestChange(app: string, signal: AbortSignal): Promise<string> {
  const path = `${app}/changelogs?pageSize=1&fields=changelogs(name)`;
  const { changelogs } = await readRest<LogPage>(path, signal).catch((): LogPage => ({}));
  return changelogs?.[0]?.name ?? UNREADABLE;
}
