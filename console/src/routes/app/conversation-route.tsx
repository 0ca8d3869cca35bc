import { toJson } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { type Conversation, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { Link, useNavigate, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { Download, Trash2, TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { formatAppName, parentApp } from "../../api/resource-names.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { download } from "../../components/download.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Heading } from "../../components/heading.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { ConnectButton } from "../../features/connect/connect-button.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { ConversationFacts } from "../../features/conversations/conversation-facts.tsx";
import { conversationMetrics } from "../../features/conversations/conversation-metrics.ts";
import { DeleteConversation } from "../../features/conversations/delete-conversation.tsx";
import { NeighbourButtons } from "../../features/conversations/neighbour-buttons.tsx";
import { OutcomeBadges } from "../../features/conversations/outcome-badges.tsx";
import { RecordedTurnList } from "../../features/conversations/recorded-turn-list.tsx";
import type { TurnSearch } from "../../features/conversations/turn-search.ts";
import { SaveAsEvaluation } from "../../features/evaluations/save-as-evaluation.tsx";
import { withRecordedWidgets } from "../../features/simulator/recorded-widgets.ts";
import { TracePanel } from "../../features/traces/trace-panel.tsx";
import { useAppCodeIndex } from "../../features/traces/use-app-code-index.ts";
import "../../styles/simulator/panes.css";
import "../../styles/conversations.css";
import { type Turn, turnsOf } from "../../features/simulator/turn.ts";

const ROUTE = "/console/projects/$project/locations/$location/apps/$app/conversations/$conversation";
const LIST = "/console/projects/$project/locations/$location/apps/$app/conversations";

/** A stored conversation: its turns, and the trace of the chosen one. */
export function ConversationRoute() {
  const params = useParams({ from: ROUTE });
  const name = `${formatAppName(params)}/conversations/${params.conversation}`;
  const found = useQuery(AgentService.method.getConversation, { name });
  if (found.data) return <Opened key={name} conversation={found.data} />;
  return (
    <Page title="Conversation" actions={<BackToList />}>
      {found.error ? (
        <Banner tone="error" error={toStatusError(found.error)} />
      ) : (
        <Loading>Loading conversation…</Loading>
      )}
    </Page>
  );
}

function Opened({ conversation }: { readonly conversation: Conversation }) {
  const { name } = conversation;
  const { tools } = useAppCodeIndex(parentApp(name));
  const turns = useMemo(() => withRecordedWidgets(recordedTurns(conversation), tools), [conversation, tools]);
  const metrics = useMemo(() => conversationMetrics(conversation), [conversation]);
  const failed = metrics.turns.findIndex(({ spans }) => spans.some(({ error }) => error !== ""));
  const { turn = Math.max(failed, 0) + 1, span } = useSearch({ from: ROUTE });
  const chosen = Math.min(turn, Math.max(turns.length, 1)) - 1;
  const navigate = useNavigate({ from: ROUTE });
  const list = useRouterState({ select: ({ location }) => location.state.list });
  // The address names what is shown; Back still leads to the list.
  const show = (search: TurnSearch) => void navigate({ search, replace: true, state: true });
  const choose = (index: number) => show({ turn: index + 1 });
  const [deleting, setDeleting] = useState(false);
  const may = useMay(parentApp(name));
  const subject = useMemo<Subject>(() => {
    const session = conversation.name.replace("/conversations/", "/sessions/");
    return { kind: "session", origin: window.location.origin, session, deployment: conversation.deployment };
  }, [conversation]);
  const save = () => {
    const text = JSON.stringify(toJson(ConversationSchema, conversation), null, 2);
    download(`${conversation.name.split("/").at(-1)}.json`, "application/json", text);
  };
  return (
    <div className="page">
      <header className="page-head">
        <Heading>Conversation</Heading>
        <OutcomeBadges metrics={metrics} />
        <code className="session-id">{conversation.name.split("/").at(-1)}</code>
        <div className="end">
          <NeighbourButtons name={name} />
          <BackToList />
          {turns.length > 0 && <SaveAsEvaluation conversation={name} />}
          <ConnectButton subject={subject} />
          {failed >= 0 && (
            <Button onPress={() => choose(failed)}>
              <TriangleAlert size={16} aria-hidden="true" /> First failure
            </Button>
          )}
          <Button onPress={save}>
            <Download size={16} aria-hidden="true" /> JSON
          </Button>
          {may("ces.conversations.delete") && (
            <IconButton label="Delete conversation" onPress={() => setDeleting(true)}>
              <Trash2 size={17} aria-hidden="true" />
            </IconButton>
          )}
        </div>
        <ConversationFacts conversation={conversation} />
      </header>
      {turns.length === 0 ? (
        <EmptyState title="Empty conversation">This conversation has no turns.</EmptyState>
      ) : (
        <div className="panes">
          <RecordedTurnList turns={turns} chosen={chosen} onChoose={choose} />
          <TracePanel
            app={parentApp(name)}
            turns={turns}
            turn={turns[chosen]}
            span={span}
            onSpan={(key) => show({ turn: chosen + 1, span: key })}
          />
        </div>
      )}
      {deleting && (
        <DeleteConversation
          name={name}
          onDeleted={() => void navigate({ to: LIST, search: list as never, replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

/** To the list as it was searched when this page was opened from it. */
function BackToList() {
  const list = useRouterState({ select: ({ location }) => location.state.list });
  return (
    <Link className="button" from={ROUTE} to={LIST} search={(list ?? {}) as never}>
      All conversations
    </Link>
  );
}

/** The turns of a stored conversation in the simulator's form; none of its calls is pending. */
function recordedTurns(conversation: Conversation): readonly Turn[] {
  return turnsOf(conversation).map((turn) => ({ ...turn, calls: [] }));
}
