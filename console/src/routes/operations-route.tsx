import { createClient } from "@connectrpc/connect";
import { type Job, JobService, Job_State as State } from "@frontdesk/protos/operations/job_service";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { cancelOperation } from "../api/operations.ts";
import { useMay } from "../api/permissions.ts";
import { locationOf, resourceId } from "../api/resource-names.ts";
import { toStatusError } from "../api/status-error.ts";
import { binaryTransport } from "../api/transport.ts";
import { useApps } from "../api/use-apps.ts";
import { Badge } from "../components/badge.tsx";
import { Banner } from "../components/banner.tsx";
import { Button } from "../components/button.tsx";
import { DateTime } from "../components/date-time.tsx";
import { SelectField } from "../components/field.tsx";
import { ListPage } from "../components/list-page.tsx";
import { Table } from "../components/table.tsx";
import "../styles/conversations.css";

const jobs = createClient(JobService, binaryTransport);

const REFRESH_MS = 2_000;
/** The newest ones that are shown. */
const SHOWN = 200;

const STATES = {
  all: { value: State.STATE_UNSPECIFIED, label: "All", tone: "neutral" },
  running: { value: State.RUNNING, label: "Running", tone: "success" },
  waiting: { value: State.WAITING, label: "Waiting", tone: "warning" },
  succeeded: { value: State.SUCCEEDED, label: "Succeeded", tone: "neutral" },
  failed: { value: State.FAILED, label: "Failed", tone: "error" },
  dead: { value: State.DEAD, label: "Dead letter", tone: "error" },
} as const;
type StateName = keyof typeof STATES;

interface Search {
  readonly location?: string;
  readonly state?: StateName;
}

/** What the server works on, what waits for its next attempt, and what failed for good. */
export function OperationsRoute() {
  const search = useSearch({ strict: false }) as Search;
  const locations = useLocations();
  const parent = search.location ?? locations[0] ?? "";
  const may = useMay(parent.split("/").slice(0, 2).join("/"));
  const mayChange = may("ces.operations.cancel") || may("geminidataanalytics.operations.cancel");
  const state = search.state && search.state in STATES ? search.state : "all";
  const navigate = useNavigate();
  const go = (next: Search) => void navigate({ to: "/console/operations", search: { ...search, ...next } as never });
  const list = useQuery({
    queryKey: ["jobs", parent, state],
    queryFn: async () => (await jobs.listJobs({ parent, state: STATES[state].value, pageSize: SHOWN })).jobs,
    refetchInterval: REFRESH_MS,
  });
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
      list={list}
      rows="operations"
      filter={
        <>
          <div className="filter-fields">
            <SelectField
              label="State"
              value={state}
              choices={Object.entries(STATES).map(([value, { label }]) => ({ value: value as StateName, label }))}
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
        title: state === "all" ? "No operations" : `No operations: ${STATES[state].label.toLowerCase()}`,
        text: "Imports, exports, evaluation runs and changes of apps are operations. Those that failed for good wait here as dead letters.",
      }}
    >
      {(rows) => (
        <Table
          label="Operations"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { id: "kind", heading: "Kind", cell: ({ kind }) => kind },
            { id: "subject", heading: "About", cell: ({ subject }) => <code title={subject}>{aboutOf(subject)}</code> },
            { id: "state", heading: "State", cell: stateOf },
            { id: "tried", heading: "Failed attempts", cell: attemptsOf, number: true },
            { id: "begun", heading: "Begun", cell: ({ createTime }) => <DateTime time={createTime} /> },
            {
              id: "action",
              heading: "Action",
              cell: (job) =>
                mayChange && <Action job={job} busy={change.isPending} onPress={() => change.mutate(job)} />,
            },
            // The last one: a long text must not push what can be done out of sight.
            { id: "error", heading: "Last error", cell: ({ error }) => error?.message ?? "" },
          ]}
        />
      )}
    </ListPage>
  );
}

function Action({ job, busy, onPress }: { readonly job: Job; readonly busy: boolean; readonly onPress: () => void }) {
  const isOpen = job.state === State.RUNNING || job.state === State.WAITING;
  if (!isOpen && job.state !== State.DEAD) return null;
  const label = isOpen ? "Cancel" : "Retry";
  return (
    <Button small isDisabled={busy} onPress={onPress} aria-label={`${label} ${job.kind} ${resourceId(job.name)}`}>
      {label}
    </Button>
  );
}

function stateOf({ state, nextAttemptTime }: Job) {
  const shown = Object.values(STATES).find(({ value }) => value === state) ?? STATES.all;
  return (
    <>
      <Badge tone={shown.tone}>{shown.label}</Badge>
      {nextAttemptTime && (
        <>
          {" until "}
          <DateTime time={nextAttemptTime} />
        </>
      )}
    </>
  );
}

function attemptsOf({ failedAttempts, maxAttempts }: Job): string {
  return failedAttempts === 0 ? "" : `${failedAttempts} of ${maxAttempts}`;
}

/** The end of a name: the collection and the id, which say what it is. */
function aboutOf(subject: string): string {
  return subject.split("/").slice(-2).join("/");
}

/** The locations of the apps that the person sees; that of a server that has none yet. */
function useLocations(): readonly string[] {
  const apps = useApps().data ?? [];
  const names = new Set(apps.map(({ name }) => locationOf(name)));
  return names.size === 0 ? ["projects/local/locations/us"] : [...names].toSorted();
}
