import { useInfiniteQuery } from "@tanstack/react-query";
import { agentService } from "../../../api/agent-service.ts";
import { useLiveApp } from "../../../api/live-app.ts";
import { toRefusal } from "../../../api/refusal.ts";
import { Banner } from "../../../components/banner.tsx";
import { Busy } from "../../../components/busy.tsx";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Page } from "../../../components/page.tsx";
import { ChangelogEntry } from "../../../features/changelog/changelog-entry.tsx";
import { useAppName } from "../use-app-name.ts";
import "../../../styles/edit/edit-page.css";

/** Milliseconds until what could not be read is tried again. */
const TRY_AGAIN = 5_000;

/** Who changed what in an app, the latest first. */
export function ChangelogsRoute() {
  const parent = useAppName();
  useLiveApp(parent);
  const log = useInfiniteQuery({
    queryKey: ["changelogs", parent],
    queryFn: ({ pageParam: pageToken }) => agentService.listChangelogs({ parent, pageSize: 50, pageToken }),
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    meta: { liveIn: parent },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === "error" ? TRY_AGAIN : false),
  });
  const entries = log.data?.pages.flatMap(({ changelogs }) => changelogs) ?? [];
  return (
    <Page title="Changes">
      {log.error && <Banner tone="bad" refusal={toRefusal(log.error)} />}
      {log.isPending && <Busy>Reading the changes</Busy>}
      {log.data && entries.length === 0 && (
        <EmptyState title="No change yet">Whatever is created, changed or deleted in this app stands here.</EmptyState>
      )}
      <div className="stack tight edit-page">
        {entries.map((entry) => (
          <ChangelogEntry key={entry.name} entry={entry} />
        ))}
        {log.hasNextPage && (
          <div>
            <Button isDisabled={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
              {log.isFetchingNextPage ? "Reading more …" : "Earlier changes"}
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}
