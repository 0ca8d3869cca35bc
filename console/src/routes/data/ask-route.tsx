import { useParams } from "@tanstack/react-router";
import { Plus, Square } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { isAccess } from "../../api/refusal.ts";
import { idOf } from "../../api/resource-address.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { useAccess } from "../../features/access/use-access.ts";
import { AnswerView } from "../../features/ask/answer-view.tsx";
import { Composer } from "../../features/ask/composer.tsx";
import { ConversationPick } from "../../features/ask/conversation-pick.tsx";
import { RefusedQuestion } from "../../features/ask/refused-question.tsx";
import { type FoundAgent, useDataAgent } from "../../features/ask/use-data-agent.ts";
import { type DataChat, useDataChat } from "../../features/ask/use-data-chat.ts";
import { ConnectButton } from "../../features/connect/connect-button.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { useMessageDraft } from "../../features/simulator/message-box/message-draft.ts";
import { formatDataAgent } from "./data-agent-name.ts";
import { useConversationId } from "./use-conversation-id.ts";
import "../../styles/ask.css";

const ContextView = lazy(() =>
  import("../../features/ask/context-view.tsx").then((view) => ({ default: view.ContextView })),
);

/** The analytics chat with one data agent. */
export function AskRoute() {
  const agent = formatDataAgent(
    useParams({ from: "/console/projects/$project/locations/$location/dataAgents/$agent" }),
  );
  return <Ask key={agent} agent={agent} />;
}

function Ask({ agent }: { readonly agent: string }) {
  const parent = agent.split("/").slice(0, 4).join("/");
  const [id, showId] = useConversationId();
  const chat = useDataChat(agent, id && `${parent}/conversations/${id}`);
  const shownId = idOf(chat.conversation);
  useEffect(() => showId(shownId), [shownId, showId]);
  const found = useDataAgent(agent);
  const [text, setText] = useMessageDraft(agent);
  const authenticated = useAccess().token !== "";
  const subject = useMemo<Subject>(
    () => ({ kind: "data-agent", origin: window.location.origin, agent, authenticated }),
    [agent, authenticated],
  );
  return (
    <div className="ask">
      <Page
        title={found.agent?.displayName || "Ask your data"}
        actions={
          <>
            <ConversationPick agent={agent} open={chat.conversation} onOpen={chat.open} />
            <ConnectButton subject={subject} />
            <Button onPress={() => chat.open("")} isDisabled={chat.answers.length === 0}>
              <Plus size={16} aria-hidden="true" /> New
            </Button>
          </>
        }
      >
        {chat.answers.length === 0 && <Opening found={found} onAsk={chat.ask} />}
        <Answers chat={chat} />
        {chat.trouble && <RefusedQuestion trouble={chat.trouble} chat={chat} onTakeBack={setText} />}
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
          waiting={chat.running || found.agent === undefined}
          placeholder={found.missing ? "You can write while the agent is awaited" : "Ask about your data"}
          onSend={chat.ask}
        />
      </div>
    </div>
  );
}

/** What stands there before the first question. */
function Opening({ found, onAsk }: { readonly found: FoundAgent; readonly onAsk: (question: string) => void }) {
  const { agent, missing, refusal } = found;
  if (refusal) return isAccess(refusal) ? null : <Banner tone="bad" refusal={refusal} />;
  if (missing)
    return (
      <EmptyState title="This data agent is not there">
        A server that was just started is still making its example; the page looks again every two seconds. If nothing
        comes, the agent was deleted, or the address is mistyped.
      </EmptyState>
    );
  if (!agent) return <Busy>Reading the data agent</Busy>;
  return (
    <>
      <EmptyState title="What would you like to know?">
        {agent.description ||
          "Ask in plain words; the SQL, the rows and a chart come with each answer, so that you can check it."}
      </EmptyState>
      <Suspense fallback={<Busy>Reading what the agent knows</Busy>}>
        <ContextView agent={agent} onAsk={onAsk} />
      </Suspense>
    </>
  );
}

function Answers({ chat }: { readonly chat: DataChat }) {
  const { answers, running } = chat;
  const list = useRef<HTMLDivElement>(null);
  const pieces = answers.at(-1)?.pieces.length ?? 0;
  // The question stays at the top while its answer grows below it, so that nobody has to scroll back to read it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the last answer grew
  useEffect(() => {
    // Some browsers answer a promise here, which React would take for the effect's end.
    list.current?.lastElementChild?.scrollIntoView({ block: "start" });
  }, [pieces, answers.length]);
  return (
    <div className="answers" role="log" ref={list}>
      {answers.map((answer, at) => (
        <AnswerView
          // biome-ignore lint/suspicious/noArrayIndexKey: answers are only ever added at the end
          key={at}
          answer={answer}
          running={running && at === answers.length - 1}
          onAsk={chat.ask}
        />
      ))}
    </div>
  );
}
