import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { AuditService } from "@frontdesk/protos/audit/audit_service";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useProjects } from "../api/projects.ts";
import { transport } from "../api/transport.ts";
import { Button } from "../components/button.tsx";
import { ListPage } from "../components/list-page.tsx";
import { AuditFilter } from "../features/audit/audit-filter.tsx";
import { type AuditSearch, boundsOf, readAuditSearch } from "../features/audit/audit-search.ts";
import { AuditTable } from "../features/audit/audit-table.tsx";
import { ShowMore } from "../features/resources/named-rows.tsx";

const audit = createClient(AuditService, transport);

/** Entries of one page. */
const PAGE_SIZE = 100;

/** The audit log of a project or of the whole server: who changed what, and who was refused. The newest first. */
export function AuditRoute() {
  const search = readAuditSearch(useSearch({ strict: false }));
  const projects = useProjects();
  const parent = search.project ?? projectOf(search.resource) ?? projects[0] ?? "";
  // All pages have the bounds of the first, which their tokens are for.
  const [now, setNow] = useState(Date.now);
  const log = useInfiniteQuery({
    queryKey: ["audit", parent, search, now],
    queryFn: ({ pageParam, signal }) =>
      audit.listAuditEntries(
        { ...requestOf(search, now), parent, pageSize: PAGE_SIZE, pageToken: pageParam },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <ListPage
      title="Audit log"
      list={{ ...log, data: log.error ? [] : log.data?.pages.flatMap(({ auditEntries }) => auditEntries) }}
      rows="entries"
      actions={
        <Button onPress={() => setNow(Date.now())} isDisabled={log.isFetching}>
          <RotateCw size={16} aria-hidden="true" /> Refresh
        </Button>
      }
      filter={<AuditFilter search={search} parent={parent} projects={projects} />}
      {...(!log.error && { empty: EMPTY })}
    >
      {(rows) =>
        rows.length > 0 && (
          <div className="stack">
            <AuditTable entries={rows} parent={parent} />
            <ShowMore list={log} />
          </div>
        )
      }
    </ListPage>
  );
}

const EMPTY = {
  title: "No entries",
  text: "No change or refused call matches. Choose another time range, or clear a field.",
};

/** The project of a resource that was linked to without one. */
function projectOf(resource: string | undefined): string | undefined {
  return resource && /^projects\/[^/]+/.exec(resource)?.[0];
}

function requestOf(search: AuditSearch, now: number) {
  const { principal = "", method = "", resource = "" } = search;
  const [since, until] = boundsOf(search, now);
  return {
    principal,
    method,
    resource,
    ...(since !== undefined && { startTime: timestampFromMs(since) }),
    ...(until !== undefined && { endTime: timestampFromMs(until) }),
  };
}
