import { type Job, Job_State as State } from "@frontdesk/protos/operations/job_service";
import { useMemo } from "react";
import { resourceId } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { ResourceName } from "../resources/resource-name.tsx";
import { JOB_STATES } from "./job-states.ts";
import "../../styles/operations.css";

interface JobTableProps {
  readonly jobs: readonly Job[];
  /** The location of all of them. */
  readonly parent: string;
  /** Begins a dead letter again, or ends what runs or waits. Absent: the person may not. */
  readonly onChange?: ((job: Job) => void) | undefined;
  /** Name of the operation that is being changed. */
  readonly changing: string | undefined;
}

/** Operations, one a row: what is done to what, how far it is and why it is no further, what can be done. */
export function JobTable({ jobs, parent, onChange, changing }: JobTableProps) {
  const columns = useMemo(() => columnsOf(parent, onChange, changing), [parent, onChange, changing]);
  return <Table label="Operations" rows={jobs} keyOf={({ name }) => name} columns={columns} />;
}

function columnsOf(
  parent: string,
  onChange: JobTableProps["onChange"],
  changing: string | undefined,
): readonly TableColumn<Job>[] {
  return [
    {
      id: "work",
      heading: "Operation",
      cell: ({ kind, subject }) => (
        <div className="job-work">
          <span>{kind}</span>
          <small>
            <ResourceName name={subject} parent={parent} />
          </small>
        </div>
      ),
    },
    { id: "state", heading: "State", cell: JobProgress },
    ...(onChange
      ? [
          {
            id: "action",
            heading: "Action",
            cell: (job: Job) => <Action job={job} changing={changing} onChange={onChange} />,
          },
        ]
      : []),
    { id: "begun", heading: "Begun", cell: ({ createTime }) => <DateTime time={createTime} /> },
  ];
}

/** The state, and below it what a person asks next: how often it was tried, and what went wrong. */
function JobProgress({ state, nextAttemptTime, failedAttempts, maxAttempts, error }: Job) {
  const shown = Object.values(JOB_STATES).find(({ value }) => value === state) ?? JOB_STATES.all;
  return (
    <div className="job-progress">
      <span>
        <Badge tone={shown.tone}>{shown.label}</Badge>
        {nextAttemptTime && (
          <>
            {" until "}
            <DateTime time={nextAttemptTime} seconds />
          </>
        )}
      </span>
      {failedAttempts > 0 && (
        <small className="muted">
          {failedAttempts} of {maxAttempts} attempts failed
        </small>
      )}
      {error && <span className={state === State.WAITING ? "muted" : "invalid"}>{error.message}</span>}
    </div>
  );
}

interface ActionProps {
  readonly job: Job;
  readonly changing: string | undefined;
  readonly onChange: (job: Job) => void;
}

function Action({ job, changing, onChange }: ActionProps) {
  const isOpen = job.state === State.RUNNING || job.state === State.WAITING;
  if (!isOpen && job.state !== State.DEAD) return null;
  const label = isOpen ? "Cancel" : "Retry";
  return (
    // The other one is another button: who presses twice does not cancel what was just begun again.
    <Button
      key={label}
      small
      onPress={() => changing !== job.name && onChange(job)}
      aria-label={`${label} ${job.kind} ${resourceId(job.name)}`}
    >
      {label}
    </Button>
  );
}
