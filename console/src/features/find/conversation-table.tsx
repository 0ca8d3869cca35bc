import { type Conversation, Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { parseAppName } from "../../api/app-name.ts";
import { idOf } from "../../api/resource-address.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { Moment } from "../../components/moment.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
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
  /** The same function each time: another one has every row drawn again. */
  readonly onChoose: (name: string, chosen: boolean) => void;
}

/** What a row shows. */
interface Row {
  readonly conversation: Conversation;
  readonly facts: ConversationFacts | undefined;
  readonly isChosen: boolean;
}

/** Conversations, one a row, each with a box that chooses it for the export. */
export function ConversationTable({ conversations, facts, chosen, onChoose }: ConversationTableProps) {
  const columns = useMemo(() => columnsOf(onChoose), [onChoose]);
  const rows = conversations.map((conversation): Row => {
    const { name } = conversation;
    return { conversation, facts: facts.get(name), isChosen: chosen.has(name) };
  });
  return <Table label="Conversations" rows={rows} keyOf={({ conversation }) => conversation.name} columns={columns} />;
}

function columnsOf(onChoose: ConversationTableProps["onChoose"]): readonly TableColumn<Row>[] {
  return [
    {
      id: "chosen",
      heading: "Chosen",
      cell: ({ conversation: { name }, isChosen }) => (
        <Checkbox
          label={`Choose ${idOf(name)}`}
          selected={isChosen}
          onChange={(selected) => onChoose(name, selected)}
        />
      ),
    },
    { id: "opening", heading: "Began with", cell: Opening },
    { id: "outcome", heading: "How it went", cell: ({ facts }) => <OutcomeBadges facts={facts} /> },
    { id: "started", heading: "Started", cell: ({ conversation }) => <Moment time={conversation.startTime} /> },
    {
      id: "turns",
      heading: "Turns",
      number: true,
      cell: ({ conversation }) => conversation.turnCount.toLocaleString(),
    },
    { id: "tokens", heading: "Tokens", number: true, cell: ({ facts }) => facts?.tokens.toLocaleString() ?? "" },
    { id: "source", heading: "From", cell: ({ conversation }) => SOURCE_NAMES[conversation.source] },
  ];
}

function Opening({ conversation: { name }, facts }: Row) {
  return (
    <div className="opening">
      <Link
        to="/console/projects/$project/locations/$location/apps/$app/conversations/$conversation"
        params={{ ...parseAppName(name), conversation: idOf(name) }}
      >
        {facts ? facts.opening || "Nothing said in words" : "Reading …"}
      </Link>
      <code className="muted">{idOf(name)}</code>
    </div>
  );
}
