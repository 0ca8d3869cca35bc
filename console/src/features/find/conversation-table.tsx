import { type Conversation, Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { Link } from "@tanstack/react-router";
import { parseAppName } from "../../api/app-name.ts";
import { idOf } from "../../api/resource-address.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { Moment } from "../../components/moment.tsx";
import { Table } from "../../components/table.tsx";
import type { ConversationFacts } from "./conversation-facts.ts";
import { OutcomeBadges } from "./outcome-badges.tsx";

const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  [Source.SOURCE_UNSPECIFIED]: "unknown",
  [Source.LIVE]: "live",
  [Source.SIMULATOR]: "simulator",
  [Source.EVAL]: "evaluation",
  [Source.AGENT_TOOL]: "agent tool",
};

interface ConversationTableProps {
  readonly conversations: readonly Conversation[];
  readonly facts: ReadonlyMap<string, ConversationFacts>;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (name: string, chosen: boolean) => void;
}

/** Conversations, one a row, each with a box that chooses it for the export. */
export function ConversationTable({ conversations, facts, chosen, onChoose }: ConversationTableProps) {
  return (
    <Table
      label="Conversations"
      rows={conversations}
      keyOf={({ name }) => name}
      columns={[
        {
          id: "chosen",
          heading: "Chosen",
          cell: ({ name }) => (
            <Checkbox
              label={`Choose ${idOf(name)}`}
              selected={chosen.has(name)}
              onChange={(selected) => onChoose(name, selected)}
            />
          ),
        },
        {
          id: "opening",
          heading: "Began with",
          cell: (found) => <Opening conversation={found} facts={facts.get(found.name)} />,
        },
        { id: "outcome", heading: "How it went", cell: ({ name }) => <OutcomeBadges facts={facts.get(name)} /> },
        { id: "started", heading: "Started", cell: ({ startTime }) => <Moment time={startTime} /> },
        { id: "turns", heading: "Turns", number: true, cell: ({ turnCount }) => turnCount.toLocaleString() },
        {
          id: "tokens",
          heading: "Tokens",
          number: true,
          cell: ({ name }) => facts.get(name)?.tokens.toLocaleString() ?? "",
        },
        { id: "source", heading: "From", cell: ({ source }) => SOURCE_NAMES[source] },
      ]}
    />
  );
}

function Opening({
  conversation: { name },
  facts,
}: {
  readonly conversation: Conversation;
  readonly facts: ConversationFacts | undefined;
}) {
  return (
    <div className="opening">
      <Link
        to="/console/projects/$project/locations/$location/apps/$app/conversations/$conversation"
        params={{ ...parseAppName(name), conversation: idOf(name) }}
      >
        {facts?.opening || "Nothing said in words"}
      </Link>
      <code className="muted">{idOf(name)}</code>
    </div>
  );
}
