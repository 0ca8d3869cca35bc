import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { Link, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { parseAppName, resourceId } from "../../api/resource-names.ts";
import { DateTime } from "../../components/date-time.tsx";
import { Checkbox } from "../../components/field.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import type { ConversationMetrics } from "./conversation-metrics.ts";
import { SOURCE_NAMES } from "./conversation-sources.ts";
import { OutcomeBadges } from "./outcome-badges.tsx";

interface ConversationTableProps {
  readonly conversations: readonly Conversation[];
  readonly metrics: ReadonlyMap<string, ConversationMetrics>;
  readonly chosen: ReadonlySet<string>;
  /** Must be a stable function: another one rerenders every row. */
  readonly onChoose: (name: string, chosen: boolean) => void;
}

/** What a row shows. */
interface Row {
  readonly conversation: Conversation;
  readonly metrics: ConversationMetrics | undefined;
  readonly isChosen: boolean;
}

/** Conversations, one a row, each with a box that chooses it for the export. */
export function ConversationTable({ conversations, metrics, chosen, onChoose }: ConversationTableProps) {
  const columns = useMemo(() => columnsOf(onChoose), [onChoose]);
  const rows = conversations.map((conversation): Row => {
    const { name } = conversation;
    return { conversation, metrics: metrics.get(name), isChosen: chosen.has(name) };
  });
  return (
    <Table
      label="Conversations"
      rows={rows}
      keyOf={({ conversation }) => conversation.name}
      columns={columns}
      most={Number.POSITIVE_INFINITY}
    />
  );
}

function columnsOf(onChoose: ConversationTableProps["onChoose"]): readonly TableColumn<Row>[] {
  return [
    {
      id: "chosen",
      heading: "Select",
      cell: ({ conversation: { name }, isChosen }) => (
        <Checkbox
          label={`Select ${resourceId(name)}`}
          selected={isChosen}
          onChange={(selected) => onChoose(name, selected)}
        />
      ),
    },
    { id: "opening", heading: "First message", cell: Opening },
    { id: "outcome", heading: "Outcome", cell: ({ metrics }) => <OutcomeBadges metrics={metrics} /> },
    { id: "started", heading: "Started", cell: ({ conversation }) => <DateTime time={conversation.startTime} /> },
    {
      id: "turns",
      heading: "Turns",
      number: true,
      cell: ({ conversation }) => conversation.turnCount.toLocaleString(),
    },
    { id: "tokens", heading: "Tokens", number: true, cell: ({ metrics }) => metrics?.tokens.toLocaleString() ?? "" },
    { id: "source", heading: "Source", cell: ({ conversation }) => SOURCE_NAMES[conversation.source] },
  ];
}

function Opening({ conversation: { name }, metrics }: Row) {
  const list: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return (
    <div className="opening">
      <Link
        to="/console/projects/$project/locations/$location/apps/$app/conversations/$conversation"
        params={{ ...parseAppName(name), conversation: resourceId(name) }}
        state={{ list }}
      >
        {metrics ? metrics.opening || "No text" : "Loading…"}
      </Link>
      <code className="muted">{resourceId(name)}</code>
    </div>
  );
}
