import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { formatAppName } from "../../api/app-name.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Page } from "../../components/page.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { ConversationTable } from "../../features/find/conversation-table.tsx";
import { type Criteria, readCriteria, writeCriteria } from "../../features/find/criteria.ts";
import { ExportMenu } from "../../features/find/export-menu.tsx";
import { FilterBar } from "../../features/find/filter-bar.tsx";
import { hasOutcome } from "../../features/find/outcome-badges.tsx";
import { type FoundConversations, useConversations } from "../../features/find/use-conversations.ts";
import { type KnownFacts, MOST_TURNS, useFacts } from "../../features/find/use-facts.ts";
import "../../styles/find.css";

const Numbers = lazy(() => import("../../features/find/numbers.tsx").then((numbers) => ({ default: numbers.Numbers })));

/** An app's conversations: found by the API's filters, counted, exported. What is asked for stands in the address. */
export function ConversationsRoute() {
  const params = useParams({ from: "/console/projects/$project/locations/$location/apps/$app/conversations" });
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const criteria = useMemo(() => readCriteria(search), [search]);
  const ask = (next: Criteria) =>
    void navigate({
      to: ".",
      params,
      search: { ...writeCriteria(next), ...VIEW(search.view) } as never,
      replace: true,
    });
  const show = (view: string) =>
    void navigate({ to: ".", params, search: { ...writeCriteria(criteria), ...VIEW(view) } as never, replace: true });
  return (
    <Find
      app={formatAppName(params)}
      criteria={criteria}
      view={String(search.view ?? "list")}
      onAsk={ask}
      onView={show}
    />
  );
}

const VIEW = (view: unknown) => (view === "numbers" ? { view } : {});

interface FindProps {
  readonly app: string;
  readonly criteria: Criteria;
  readonly view: string;
  readonly onAsk: (criteria: Criteria) => void;
  readonly onView: (view: string) => void;
}

function Find({ app, criteria, view, onAsk, onView }: FindProps) {
  const found = useConversations(app, criteria);
  const known = useFacts(found.conversations);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(
    () => found.conversations.filter(({ name }) => hasOutcome(criteria.outcome, known.facts.get(name))),
    [found.conversations, known.facts, criteria.outcome],
  );
  const selected = shown.filter(({ name }) => chosen.has(name));
  const choose = useCallback(
    (name: string, isChosen: boolean) =>
      setChosen((before) => new Set(isChosen ? [...before, name] : [...before].filter((other) => other !== name))),
    [],
  );
  const facts = useMemo(() => shown.flatMap(({ name }) => known.facts.get(name) ?? []), [shown, known.facts]);
  // Plots may come a little later than what somebody types or presses.
  const counted = useDeferredValue(facts);
  return (
    <Page
      title="Conversations"
      actions={<ExportMenu conversations={selected.length > 0 ? selected : shown} facts={known.facts} />}
    >
      <div className="stack">
        <FilterBar criteria={criteria} filter={found.filter} onChange={onAsk} />
        {found.refusal && <Banner tone="bad" refusal={found.refusal} />}
        <Progress found={found} known={known} shown={shown.length} />
        <Tabs
          label="Views"
          selected={view}
          onSelect={onView}
          items={[
            {
              id: "list",
              label: "List",
              content: <List found={found} known={known} shown={shown} chosen={chosen} onChoose={choose} />,
            },
            {
              id: "numbers",
              label: "Numbers",
              content: (
                <Suspense fallback={<Busy>Loading the plots</Busy>}>
                  <Numbers facts={counted} />
                </Suspense>
              ),
            },
          ]}
        />
      </div>
    </Page>
  );
}

interface ProgressProps {
  readonly found: FoundConversations;
  readonly known: KnownFacts;
  readonly shown: number;
}

/** What is being read, and what was left out. */
function Progress({ found, known, shown }: ProgressProps) {
  const { conversations, more, readingMore, stop, pending } = found;
  const read = conversations.length.toLocaleString();
  return (
    <div className="row wrap progress" role="status">
      {pending ? (
        <span>Reading the conversations …</span>
      ) : (
        <span>
          <b>{shown.toLocaleString()}</b> {shown === 1 ? "conversation" : "conversations"}
          {shown !== conversations.length && ` of ${read} that the filter found`}
          {more && ", the newest; there are more"}
        </span>
      )}
      {known.left > 0 && <span className="muted">Reading the turns of {known.left.toLocaleString()} …</span>}
      {known.tooLong > 0 && (
        <span className="muted">
          {known.tooLong} of more than {MOST_TURNS.toLocaleString()} turns are not counted
        </span>
      )}
      {more && !readingMore && (
        <>
          <Button small onPress={() => more(false)}>
            Read 100 more
          </Button>
          <Button small onPress={() => more(true)}>
            Read all
          </Button>
        </>
      )}
      {readingMore && (
        <>
          <span className="muted">Reading more …</span>
          <Button small onPress={stop}>
            Stop
          </Button>
        </>
      )}
    </div>
  );
}

interface ListProps {
  readonly found: FoundConversations;
  readonly known: KnownFacts;
  readonly shown: readonly Conversation[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (name: string, chosen: boolean) => void;
}

/** Rows that are drawn before more are asked for: thousands would make each press of a key slow. */
const ROWS = 200;

function List({ found, known, shown, chosen, onChoose }: ListProps) {
  const [most, setMost] = useState(ROWS);
  if (shown.length > 0) {
    return (
      <>
        <ConversationTable
          conversations={shown.slice(0, most)}
          facts={known.facts}
          chosen={chosen}
          onChoose={onChoose}
        />
        {shown.length > most && (
          <p className="row wrap">
            <span className="muted">{(shown.length - most).toLocaleString()} more are found and counted.</span>
            <Button small onPress={() => setMost(most + ROWS)}>
              Show {Math.min(ROWS, shown.length - most)} more
            </Button>
          </p>
        )}
      </>
    );
  }
  if (found.pending) return <Busy>Reading the conversations</Busy>;
  if (known.left > 0) return <Busy>Reading the turns, to see how the conversations went</Busy>;
  if (found.refusal) return null;
  return found.filter === "" && found.conversations.length === 0 ? (
    <EmptyState title="No conversation yet">
      Whatever is said to this app is kept here with its traces. Say something under Try, or call it from your own
      program.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing fits">
      No conversation is as you ask. Ask for a longer time, or clear a condition.
    </EmptyState>
  );
}
