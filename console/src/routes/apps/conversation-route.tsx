import { toJson } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { type Conversation, ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { Link, useParams } from "@tanstack/react-router";
import { Download, TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { formatAppName } from "../../api/app-name.ts";
import { toRefusal } from "../../api/refusal.ts";
import { appOf } from "../../api/resource-address.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { download } from "../../features/ask/download.ts";
import { ConnectButton } from "../../features/connect/connect-button.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { conversationFacts } from "../../features/find/conversation-facts.ts";
import { OutcomeBadges } from "../../features/find/outcome-badges.tsx";
import { recordedTurns } from "../../features/find/recorded-turns.ts";
import { TurnList } from "../../features/find/turn-list.tsx";
import { withWidgets } from "../../features/simulator/past-widgets.ts";
import { TracePanel } from "../../features/traces/trace-panel.tsx";
import { useCodeShelf } from "../../features/traces/use-code-shelf.ts";
import "../../styles/try/panes.css";
import "../../styles/find.css";

/** A stored conversation: its turns, and the trace of the chosen one. */
export function ConversationRoute() {
  const params = useParams({
    from: "/console/projects/$project/locations/$location/apps/$app/conversations/$conversation",
  });
  const name = `${formatAppName(params)}/conversations/${params.conversation}`;
  const found = useQuery(AgentService.method.getConversation, { name });
  if (found.data) return <Opened key={name} conversation={found.data} />;
  return (
    <Page title="Conversation" actions={<BackToList />}>
      {found.error ? (
        <Banner tone="bad" refusal={toRefusal(found.error)} />
      ) : (
        <Busy>Reading the conversation with all its traces</Busy>
      )}
    </Page>
  );
}

function Opened({ conversation }: { readonly conversation: Conversation }) {
  const { name } = conversation;
  const { tools } = useCodeShelf(appOf(name));
  const turns = useMemo(() => withWidgets(recordedTurns(conversation), tools), [conversation, tools]);
  const facts = useMemo(() => conversationFacts(conversation), [conversation]);
  const failed = facts.turns.findIndex(({ work }) => work.some(({ error }) => error !== ""));
  const [chosen, setChosen] = useState(Math.max(failed, 0));
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
        <h1>Conversation</h1>
        <OutcomeBadges facts={facts} />
        <code className="session-id">{conversation.name.split("/").at(-1)}</code>
        <div className="end">
          <BackToList />
          <ConnectButton subject={subject} />
          {failed >= 0 && (
            <Button onPress={() => setChosen(failed)}>
              <TriangleAlert size={16} aria-hidden="true" /> First failure
            </Button>
          )}
          <Button onPress={save}>
            <Download size={16} aria-hidden="true" /> JSON
          </Button>
        </div>
      </header>
      {turns.length === 0 ? (
        <EmptyState title="Nothing was said">This conversation has no turns.</EmptyState>
      ) : (
        <div className="panes">
          <TurnList turns={turns} chosen={chosen} onChoose={setChosen} />
          <TracePanel app={name.slice(0, name.indexOf("/conversations/"))} turns={turns} turn={turns[chosen]} />
        </div>
      )}
    </div>
  );
}

function BackToList() {
  return (
    <Link
      className="button"
      from="/console/projects/$project/locations/$location/apps/$app/conversations/$conversation"
      to="/console/projects/$project/locations/$location/apps/$app/conversations"
    >
      All conversations
    </Link>
  );
}
