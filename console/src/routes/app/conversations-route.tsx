import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { formatAppName } from "../../api/resource-names.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Loading } from "../../components/loading.tsx";
import { Tabs } from "../../components/tabs.tsx";
import type { ConversationMetrics } from "../../features/conversations/conversation-metrics.ts";
import { ConversationSelection } from "../../features/conversations/conversation-selection.tsx";
import { ConversationTable } from "../../features/conversations/conversation-table.tsx";
import { ExportMenu } from "../../features/conversations/export-menu.tsx";
import { FilterBar } from "../../features/conversations/filter-bar.tsx";
import { useListPlace } from "../../features/conversations/list-place.ts";
import {
  readSearchCriteria,
  type SearchCriteria,
  writeSearchCriteria,
} from "../../features/conversations/search-criteria.ts";
import {
  type LoadedMetrics,
  MOST_TURNS,
  useConversationMetrics,
} from "../../features/conversations/use-conversation-metrics.ts";
import { type FoundConversations, useConversations } from "../../features/conversations/use-conversations.ts";
import { SaveSelection } from "../../features/evaluations/save-selection.tsx";
import { useSelection } from "../../features/resources/use-selection.ts";
import "../../styles/conversations.css";

const MetricsView = lazy(() =>
  import("../../features/conversations/metrics-view.tsx").then((view) => ({ default: view.MetricsView })),
);

/** An app's conversations: search, metrics and export. The address contains the search. */
export function ConversationsRoute() {
  const params = useParams({ from: "/console/projects/$project/locations/$location/apps/$app/conversations" });
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const criteria = useMemo(() => readSearchCriteria(search), [search]);
  const ask = (next: SearchCriteria) =>
    void navigate({
      to: ".",
      params,
      search: { ...writeSearchCriteria(next), ...VIEW(search.view) } as never,
      replace: true,
    });
  const show = (view: string) =>
    void navigate({
      to: ".",
      params,
      search: { ...writeSearchCriteria(criteria), ...VIEW(view) } as never,
      replace: true,
    });
  return (
    <ConversationSearch
      app={formatAppName(params)}
      criteria={criteria}
      view={String(search.view ?? "list")}
      onAsk={ask}
      onView={show}
    />
  );
}

const VIEW = (view: unknown) => (view === "metrics" ? { view } : {});

interface ConversationSearchProps {
  readonly app: string;
  readonly criteria: SearchCriteria;
  readonly view: string;
  readonly onAsk: (criteria: SearchCriteria) => void;
  readonly onView: (view: string) => void;
}

function ConversationSearch({ app, criteria, view, onAsk, onView }: ConversationSearchProps) {
  const [begun, note] = useListPlace(app, criteria);
  const may = useMay(app);
  const read = useConversations(app, criteria, begun.anchor);
  const known = useConversationMetrics(read.conversations);
  const { chosen, choose, select } = useSelection(begun.chosen);
  const [rows, setRows] = useState(begun.rows ?? ROWS);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => read.conversations.filter(({ name }) => !gone.has(name)), [read.conversations, gone]);
  const found = { ...read, conversations: shown };
  useEffect(() => note({ anchor: found.anchor, rows, chosen, shown: shown.map(({ name }) => name) }));
  const selected = shown.filter(({ name }) => chosen.has(name));
  const metrics = useMemo(() => shown.flatMap(({ name }) => known.metrics.get(name) ?? []), [shown, known.metrics]);
  // Charts may render later than input.
  const counted = useDeferredValue(metrics);
  return (
    <ListPage
      title="Conversations"
      // The progress line below the filter shows what is loading.
      list={{ data: shown, isPending: false, error: found.error }}
      rows="conversations"
      actions={
        <>
          {selected.length > 0 && may("ces.evaluations.create") && (
            <SaveSelection conversations={selected.map(({ name }) => name)} />
          )}
          <ExportMenu conversations={selected.length > 0 ? selected : shown} metrics={known.metrics} />
        </>
      }
      filter={
        <>
          <FilterBar criteria={criteria} filter={found.filter} onChange={onAsk} />
          <Progress found={found} known={known} />
          {view === "list" && (
            <ConversationSelection
              app={app}
              shown={shown.map(({ name }) => name)}
              selected={selected.map(({ name }) => name)}
              onSelect={select}
              onDeleted={(names) => setGone((before) => new Set([...before, ...names]))}
            />
          )}
        </>
      }
    >
      {() => (
        <Views
          view={view}
          onView={onView}
          list={{ found, known, shown, rows, onRows: setRows, chosen, onChoose: choose }}
          metrics={counted}
        />
      )}
    </ListPage>
  );
}

interface ViewsProps extends Pick<ConversationSearchProps, "view" | "onView"> {
  readonly list: ListProps;
  readonly metrics: readonly ConversationMetrics[];
}

function Views({ view, onView, list, metrics }: ViewsProps) {
  return (
    <Tabs
      label="Views"
      selected={view}
      onSelect={onView}
      items={[
        { id: "list", label: "List", content: <List {...list} /> },
        {
          id: "metrics",
          label: "Metrics",
          content: (
            <Suspense fallback={<Loading>Loading charts…</Loading>}>
              <MetricsView metrics={metrics} isPending={list.known.left > 0} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}

interface ProgressProps {
  readonly found: FoundConversations;
  readonly known: LoadedMetrics;
}

/** What is being read, and what was left out. */
function Progress({ found, known }: ProgressProps) {
  const { conversations, more, readingMore, stop, pending } = found;
  return (
    <div className="row wrap progress">
      {pending ? (
        <span role="status">Loading conversations…</span>
      ) : (
        <span role="status">
          <b>{conversations.length.toLocaleString()}</b> {conversations.length === 1 ? "conversation" : "conversations"}
          {more && " (the newest; more available)"}
        </span>
      )}
      {known.left > 0 && <span className="muted">Loading turns of {known.left.toLocaleString()}…</span>}
      {known.tooLong > 0 && (
        <span className="muted">
          {known.tooLong} with more than {MOST_TURNS.toLocaleString()} turns are excluded from metrics
        </span>
      )}
      {more && !readingMore && (
        <>
          <Button small onPress={() => more(false)}>
            Load 100 more
          </Button>
          <Button small onPress={() => more(true)}>
            Load all
          </Button>
        </>
      )}
      {readingMore && (
        <>
          <span className="muted">Loading more…</span>
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
  readonly known: LoadedMetrics;
  readonly shown: readonly Conversation[];
  /** How many of them are rendered. */
  readonly rows: number;
  readonly onRows: (rows: number) => void;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (name: string, chosen: boolean) => void;
}

/** Rows that are rendered before the user asks for more: thousands would slow down each key press. */
const ROWS = 200;

function List({ found, known, shown, rows: most, onRows, chosen, onChoose }: ListProps) {
  if (shown.length > 0) {
    return (
      <>
        <ConversationTable
          conversations={shown.slice(0, most)}
          metrics={known.metrics}
          chosen={chosen}
          onChoose={onChoose}
        />
        {shown.length > most && (
          <p className="row wrap">
            <span className="muted">{(shown.length - most).toLocaleString()} more match.</span>
            <Button small onPress={() => onRows(most + ROWS)}>
              Show {Math.min(ROWS, shown.length - most)} more
            </Button>
          </p>
        )}
      </>
    );
  }
  if (found.pending) return <Loading>Loading conversations…</Loading>;
  if (found.error) return null;
  return found.filter === "" && found.conversations.length === 0 ? (
    <EmptyState title="No conversations yet">
      Conversations with this app appear here with their traces. Start one in the simulator, or call the API.
    </EmptyState>
  ) : (
    <EmptyState title="No matching conversations">Change the time range or clear a filter.</EmptyState>
  );
}
