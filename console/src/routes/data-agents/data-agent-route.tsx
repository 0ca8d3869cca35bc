import { useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { BookOpenText, Plus, Square } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { formatDataAgent, locationOf, resourceId } from "../../api/resource-names.ts";
import { isUnauthenticated } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { ConnectButton } from "../../features/connect/connect-button.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { AnswerView } from "../../features/data-chat/answer-view.tsx";
import { Board } from "../../features/data-chat/board.tsx";
import { Composer } from "../../features/data-chat/composer.tsx";
import { ConversationSelect } from "../../features/data-chat/conversation-select.tsx";
import { FailedQuestion } from "../../features/data-chat/failed-question.tsx";
import { type DataChat, type FoundAgent, useDataAgent, useDataChat } from "../../features/data-chat/use-data-chat.ts";
import { useMessageDraft } from "../../features/simulator/message-box/message-draft.ts";
import "../../styles/data-chat.css";

const ContextView = lazy(() =>
  import("../../features/data-chat/context-view.tsx").then((view) => ({ default: view.ContextView })),
);

const DescribeAgent = lazy(() =>
  import("../../features/data-description/describe-agent.tsx").then((view) => ({ default: view.DescribeAgent })),
);

/** The analytics chat with one data agent. */
export function DataAgentRoute() {
  const agent = formatDataAgent(
    useParams({ from: "/console/projects/$project/locations/$location/dataAgents/$agent" }),
  );
  return <DataChatPage key={agent} agent={agent} />;
}

function DataChatPage({ agent }: { readonly agent: string }) {
  const parent = locationOf(agent);
  const [id, showId] = useConversationId();
  const chat = useDataChat(agent, id && `${parent}/conversations/${id}`);
  const shownId = resourceId(chat.conversation);
  useEffect(() => showId(shownId), [shownId, showId]);
  const found = useDataAgent(agent);
  const [text, setText] = useMessageDraft(agent);
  const [describing, describe] = useDescribing();
  const subject = useMemo<Subject>(() => ({ kind: "data-agent", origin: window.location.origin, agent }), [agent]);
  if (describing && found.agent)
    return (
      <Suspense fallback={<Loading>Loading the editor…</Loading>}>
        <DescribeAgent agent={found.agent} onClose={() => describe(false)} />
      </Suspense>
    );
  return (
    <div className="data-chat">
      <Page
        title={found.agent?.displayName || "Data agent"}
        actions={
          <>
            <ConversationSelect agent={agent} open={chat.conversation} onOpen={chat.open} />
            <ConnectButton subject={subject} />
            <Button onPress={() => describe(true)} isDisabled={found.agent === undefined}>
              <BookOpenText size={16} aria-hidden="true" /> Describe
            </Button>
            <Button onPress={() => chat.open("")} isDisabled={chat.answers.length === 0}>
              <Plus size={16} aria-hidden="true" /> New conversation{" "}
            </Button>
          </>
        }
      >
        {chat.answers.length === 0 && <Opening found={found} onAsk={chat.ask} />}
        <Answers agent={agent} chat={chat} />
        {chat.failure && <FailedQuestion failure={chat.failure} chat={chat} onEditText={setText} />}
      </Page>
      <div>
        {chat.running && (
          <div className="stop-line">
            <Button small onPress={chat.stop}>
              <Square size={13} aria-hidden="true" /> Stop
            </Button>
          </div>
        )}
        <Composer
          text={text}
          onText={setText}
          waiting={chat.running || found.missing}
          loading={(found.agent === undefined && !found.missing) || chat.opening}
          placeholder={found.missing ? "Waiting for the data agent" : "Ask a question about your data"}
          onSend={chat.ask}
        />
      </div>
    </div>
  );
}

/** Shown before the first question. */
function Opening({ found, onAsk }: { readonly found: FoundAgent; readonly onAsk: (question: string) => void }) {
  const { agent, missing, error } = found;
  if (error) return isUnauthenticated(error) ? null : <Banner tone="error" error={error} />;
  if (missing)
    return (
      <EmptyState title="Data agent not found">
        A new server creates its sample data agent in the background; this page checks again every two seconds. If
        nothing appears, the data agent was deleted or the address is wrong.
      </EmptyState>
    );
  if (!agent) return <Loading>Loading data agent…</Loading>;
  return (
    <>
      <EmptyState title="What would you like to know?">
        {agent.description ||
          "Ask in natural language. Each answer comes with its SQL, rows and a chart, so that you can verify it."}
      </EmptyState>
      <Board agent={agent} />
      <Suspense fallback={<Loading>Loading context…</Loading>}>
        <ContextView agent={agent} onAsk={onAsk} />
      </Suspense>
    </>
  );
}

function Answers({ agent, chat }: { readonly agent: string; readonly chat: DataChat }) {
  const { answers, running } = chat;
  const list = useRef<HTMLDivElement>(null);
  const parts = answers.at(-1)?.parts.length ?? 0;
  // The question stays at the top while its answer grows below it, so that it stays readable.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the last answer grew
  useEffect(() => {
    // Some browsers return a promise here, which React would take for a cleanup function.
    list.current?.lastElementChild?.scrollIntoView({ block: "start" });
  }, [parts, answers.length]);
  return (
    <div className="answers" role="log" aria-label="Answers" ref={list}>
      {answers.map((answer, at) => (
        <AnswerView
          // biome-ignore lint/suspicious/noArrayIndexKey: answers are only ever added at the end
          key={at}
          agent={agent}
          answer={answer}
          running={running && at === answers.length - 1}
          onAsk={chat.ask}
        />
      ))}
    </div>
  );
}

const ID = /^[\w-]{1,128}$/;

/** The conversation that the address names when the page is opened ("" = none), and how the address follows what is on screen. */
function useConversationId(): readonly [string, (id: string) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const [id] = useState(() => String(search.conversation ?? ""));
  const navigate = useNavigate();
  const show = useCallback(
    (next: string) =>
      void navigate({
        to: ".",
        search: (now: object) => ({ ...now, conversation: next || undefined }) as never,
        hash: true,
        replace: true,
      }),
    [navigate],
  );
  return [ID.test(id) ? id : "", show];
}

/** Whether the address asks for the description of the data agent (`?view=describe`), and how it is opened and left. Back does both. */
function useDescribing(): readonly [boolean, (isDescribed: boolean) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  // Links of earlier releases end with #describe.
  const isOld = useLocation({ select: ({ hash }) => hash === "describe" });
  const describe = (isDescribed: boolean) =>
    void navigate({
      to: ".",
      search: (now: object) => ({ ...now, view: isDescribed ? "describe" : undefined, tab: undefined }) as never,
    });
  return [isOld || search.view === "describe", describe];
}
