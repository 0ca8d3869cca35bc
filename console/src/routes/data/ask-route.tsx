import { useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { useParams } from "@tanstack/react-router";
import { Plus, Square } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Pick } from "../../components/field.tsx";
import { Page } from "../../components/page.tsx";
import { AnswerView } from "../../features/ask/answer-view.tsx";
import { useDataChat } from "../../features/ask/use-data-chat.ts";
import { ConnectButton } from "../../features/connect/connect-button.tsx";
import type { Subject } from "../../features/connect/snippets.ts";
import { Composer } from "../../features/simulator/composer.tsx";
import { formatDataAgent } from "./data-agent-name.ts";
import "../../styles/simulator.css";
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
  const chat = useDataChat(agent);
  const found = useQuery(DataAgentService.method.getDataAgent, { name: agent }).data;
  const parent = agent.split("/").slice(0, 4).join("/");
  const past = useQuery(DataChatService.method.listConversations, {
    parent,
    pageSize: 30,
    filter: `agents:"${agent}"`,
  });
  const subject = useMemo<Subject>(() => ({ kind: "data-agent", origin: window.location.origin, agent }), [agent]);
  const answers = useRef<HTMLDivElement>(null);
  const pieces = chat.answers.at(-1)?.pieces.length ?? 0;
  // The question stays at the top while its answer grows below it, so that nobody has to scroll back to read it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the last answer grew
  useEffect(() => {
    // Some browsers answer a promise here, which React would take for the effect's end.
    answers.current?.lastElementChild?.scrollIntoView({ block: "start" });
  }, [pieces, chat.answers.length]);
  const conversations = (past.data?.conversations ?? []).map(({ name, lastUsedTime }) => ({
    value: name,
    label: lastUsedTime
      ? new Date(Number(lastUsedTime.seconds) * 1000).toLocaleString()
      : (name.split("/").at(-1) ?? ""),
  }));
  return (
    <div className="ask">
      <Page
        title={found?.displayName || "Ask your data"}
        actions={
          <>
            {conversations.length > 0 && (
              <Pick
                label="Conversation"
                hideLabel
                value={chat.conversation}
                choices={[{ value: "", label: "New conversation" }, ...withOpen(conversations, chat.conversation)]}
                onChange={chat.open}
              />
            )}
            <ConnectButton subject={subject} />
            <Button onPress={() => chat.open("")} isDisabled={chat.answers.length === 0}>
              <Plus size={16} aria-hidden="true" /> New
            </Button>
          </>
        }
      >
        {chat.answers.length === 0 && (
          <>
            <EmptyState title="What would you like to know?">
              {found?.description ||
                "Ask in plain words; the SQL, the rows and a chart come with each answer, so that you can check it."}
            </EmptyState>
            {found && (
              <Suspense fallback={<Busy>Reading what the agent knows</Busy>}>
                <ContextView agent={found} onAsk={chat.ask} />
              </Suspense>
            )}
          </>
        )}
        <div className="answers" role="log" ref={answers}>
          {chat.answers.map((answer, at) => (
            <AnswerView
              // biome-ignore lint/suspicious/noArrayIndexKey: answers are only ever added at the end
              key={at}
              answer={answer}
              running={chat.running && at === chat.answers.length - 1}
              onAsk={chat.ask}
            />
          ))}
        </div>
        {chat.refusal && <Banner tone="bad" refusal={chat.refusal} />}
      </Page>
      <div>
        {chat.running && (
          <div className="stop-line">
            <Button small onPress={chat.stop}>
              <Square size={13} aria-hidden="true" /> Stop
            </Button>
          </div>
        )}
        <Composer disabled={chat.running} placeholder="Ask about your data" onSend={chat.ask} />
      </div>
    </div>
  );
}

function withOpen(
  choices: readonly { readonly value: string; readonly label: string }[],
  open: string,
): readonly { readonly value: string; readonly label: string }[] {
  return open === "" || choices.some(({ value }) => value === open)
    ? choices
    : [{ value: open, label: "This conversation" }, ...choices];
}
