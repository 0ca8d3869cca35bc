import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useAppChanges } from "../../api/app-changes.ts";
import { agentService } from "../../api/clients.ts";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { ChangelogEntry } from "../../features/changelog/changelog-entry.tsx";
import { ChangelogFilter } from "../../features/changelog/changelog-filter.tsx";
import { changelogFilter } from "../../features/changelog/changelog-query.ts";
import { readChangelogSearch } from "../../features/changelog/changelog-search.ts";
import { useAppName } from "./use-app-name.ts";
import "../../styles/edit/edit-page.css";

/** Milliseconds until a failed request is repeated. */
const RETRY_INTERVAL_MS = 5_000;

/** The changelog of an app: who changed what and when, newest first. */
export function ChangelogsRoute() {
  const parent = useAppName();
  useAppChanges(parent);
  const search = readChangelogSearch(useSearch({ strict: false }));
  const filter = changelogFilter(parent, search);
  const log = useInfiniteQuery({
    queryKey: ["changelogs", parent, filter],
    queryFn: async ({ pageParam, signal }) => {
      const read = (pageToken: string) =>
        agentService.listChangelogs({ parent, filter, pageSize: 50, pageToken }, { signal });
      let page = await read(pageParam);
      // A page may be empty and have others behind it (AIP-158).
      while (page.changelogs.length === 0 && page.nextPageToken !== "") page = await read(page.nextPageToken);
      return page;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    meta: { refreshWithApp: parent },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === "error" ? RETRY_INTERVAL_MS : false),
  });
  return (
    <ListPage
      title="Changelog"
      list={{ ...log, data: log.data?.pages.flatMap(({ changelogs }) => changelogs) }}
      rows="changes"
      filter={<ChangelogFilter search={search} />}
      empty={
        filter === ""
          ? {
              title: "No changes yet",
              text: "Everything that is created, changed or deleted in this app appears here.",
            }
          : { title: "No matching changes", text: "Clear the name, or choose another kind or action." }
      }
    >
      {(entries) => (
        <div className="stack tight edit-page">
          {entries.map((entry) => (
            <ChangelogEntry key={entry.name} entry={entry} />
          ))}
          {log.hasNextPage && (
            <div>
              <Button isDisabled={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                {log.isFetchingNextPage ? "Loading…" : "Load earlier changes"}
              </Button>
            </div>
          )}
        </div>
      )}
    </ListPage>
  );
}
