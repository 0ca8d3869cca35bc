import type { AuditEntry } from "@frontdesk/protos/audit/audit_service";
import { type ReactNode, useMemo } from "react";
import { Badge } from "../../components/badge.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { ResourceName } from "../resources/resource-name.tsx";
import "../../styles/audit.css";

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** Names of resources are shown without it. */
  readonly parent: string;
}

/** Calls, one a row: when, who, what, on what, what came of it, and what it takes to find it in other logs. */
export function AuditTable({ entries, parent }: AuditTableProps) {
  const columns = useMemo(() => columnsOf(parent), [parent]);
  return <Table label="Audit log" rows={entries} keyOf={({ name }) => name} columns={columns} />;
}

const columnsOf = (parent: string): readonly TableColumn<AuditEntry>[] => [
  { id: "time", heading: "Time", cell: ({ eventTime }) => <Lines first={<DateTime time={eventTime} seconds />} /> },
  {
    id: "caller",
    heading: "Caller",
    cell: ({ principal, callerKind, address }) => (
      <Lines first={principal || KINDS[callerKind] || callerKind} second={address} />
    ),
  },
  { id: "method", heading: "Method", cell: ({ method }) => <Method method={method} /> },
  { id: "resource", heading: "Resource", cell: ({ resource }) => <ResourceName name={resource} parent={parent} /> },
  {
    id: "outcome",
    heading: "Outcome",
    cell: ({ outcome, reason }) => (
      <Lines first={<Badge tone={outcome === "OK" ? "neutral" : "error"}>{outcome}</Badge>} second={reason} />
    ),
  },
  {
    id: "request",
    heading: "Request",
    cell: ({ protocol, requestId, credential }) => (
      <Lines first={protocol} second={requestId} third={credential && `by ${credential}`} />
    ),
  },
];

/** Callers that have no name, by their kind. */
const KINDS: Readonly<Record<string, string>> = { anonymous: "Not known", operator: "Operator" };

/** The last part of a method's name, and its service below. */
function Method({ method }: { readonly method: string }) {
  const [name = "", service = ""] = method.split(/[./]/).reverse();
  return <Lines first={<span title={method}>{name}</span>} second={service} />;
}

interface LinesProps {
  readonly first: ReactNode;
  readonly second?: string;
  readonly third?: string;
}

/** A line, and what explains it below. */
function Lines({ first, second, third }: LinesProps) {
  return (
    <div className="audit-cell">
      <span>{first}</span>
      {second && <small className="muted">{second}</small>}
      {third && <small className="muted">{third}</small>}
    </div>
  );
}
