import { createClient } from "@connectrpc/connect";
import { type Job, JobService, Job_State as State } from "@frontdesk/protos/operations/job_service";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { cancelOperation } from "../api/operations.ts";
import { useMay } from "../api/permissions.ts";
import { locationOf } from "../api/resource-names.ts";
import { toStatusError } from "../api/status-error.ts";
import { binaryTransport } from "../api/transport.ts";
import { useApps } from "../api/use-apps.ts";
import { Banner } from "../components/banner.tsx";
import { SelectField } from "../components/field.tsx";
import { ListPage } from "../components/list-page.tsx";
import { JOB_STATES, type JobStateName } from "../features/operations/job-states.ts";
import { JobTable } from "../features/operations/job-table.tsx";
import { ShowMore } from "../features/resources/named-rows.tsx";
import "../styles/conversations.css";

const jobs = createClient(JobService, binaryTransport);

const REFRESH_MS = 2_000;
/** Read at a time, the newest first. */
const PAGE_SIZE = 100;

interface Search {
  readonly location?: string;
  readonly state?: JobStateName;
}

/** What the server works on, what waits for its next attempt, and what failed for good. */
export function OperationsRoute() {
  const search = useSearch({ strict: false }) as Search;
  const locations = useLocations();
  const parent = search.location ?? locations[0] ?? "";
  const may = useMay(parent.split("/").slice(0, 2).join("/"));
  const mayChange = may("ces.operations.cancel") || may("geminidataanalytics.operations.cancel");
  const state = search.state && search.state in JOB_STATES ? search.state : "all";
  const navigate = useNavigate();
  const go = (next: Search) => void navigate({ to: "/console/operations", search: { ...search, ...next } as never });
  const list = useJobs(parent, state);
  const change = useMutation({
    mutationFn: async ({ name, state: now }: Job) => {
      if (now === State.DEAD) await jobs.retryJob({ name });
      else await cancelOperation(name);
    },
    onSettled: () => list.refetch(),
  });
  return (
    <ListPage
      title="Operations"
      list={{ ...list, data: list.data?.pages.flatMap((page) => page.jobs) }}
      rows="operations"
      filter={
        <>
          <div className="filter-fields">
            <SelectField
              label="State"
              value={state}
              choices={Object.entries(JOB_STATES).map(([value, { label }]) => ({
                value: value as JobStateName,
                label,
              }))}
              onChange={(next) => go({ state: next })}
            />
            {locations.length > 1 && (
              <SelectField
                label="Location"
                value={parent}
                choices={locations.map((name) => ({ value: name, label: name }))}
                onChange={(next) => go({ location: next })}
              />
            )}
          </div>
          {change.error && <Banner tone="error" error={toStatusError(change.error)} />}
        </>
      }
      empty={{
        title: state === "all" ? "No operations" : `No operations: ${JOB_STATES[state].label.toLowerCase()}`,
        text: "Imports, exports, evaluation runs and changes of apps are operations. Those that failed for good wait here as dead letters.",
      }}
    >
      {(rows) => (
        <div className="stack">
          <JobTable
            jobs={rows}
            parent={parent}
            onChange={mayChange ? change.mutate : undefined}
            changing={change.isPending ? change.variables.name : undefined}
          />
          <ShowMore list={list} />
        </div>
      )}
    </ListPage>
  );
}

/** The operations of a location, the newest first, read again while somebody looks. */
function useJobs(parent: string, state: JobStateName) {
  return useInfiniteQuery({
    queryKey: ["jobs", parent, state],
    queryFn: ({ pageParam: pageToken }) =>
      jobs.listJobs({ parent, state: JOB_STATES[state].value, pageSize: PAGE_SIZE, pageToken }),
    initialPageParam: "",
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    refetchInterval: REFRESH_MS,
  });
}

/** The locations of the apps that the person sees; that of a server that has none yet. */
function useLocations(): readonly string[] {
  const apps = useApps().data ?? [];
  const names = new Set(apps.map(({ name }) => locationOf(name)));
  return names.size === 0 ? ["projects/local/locations/us"] : [...names].toSorted();
}
