import { GitCompareArrows } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Tabs } from "../../components/tabs.tsx";
import type { Turn } from "../simulator/turn.ts";
import { callbackRuns } from "./checks/callback-runs.ts";
import { changesOf, stateAt } from "./session-state.ts";
import { SpanDetail } from "./span-detail.tsx";
import { costOf, spanRows, timeText } from "./span-rows.ts";
import { useAppCodeIndex } from "./use-app-code-index.ts";
import { Waterfall } from "./waterfall.tsx";
import "../../styles/traces/trace.css";

const ChecksView = lazy(() => import("./checks/checks-view.tsx").then((view) => ({ default: view.ChecksView })));
const StateView = lazy(() => import("./state-view.tsx").then((view) => ({ default: view.StateView })));

interface TracePanelProps {
  /** Resource name of the app whose turn it is. */
  readonly app: string;
  /** The conversation up to its end: what was there before the turn is read from it. */
  readonly turns: readonly Turn[];
  readonly turn: Turn | undefined;
  /** Key of the span that is shown at first. Default: the first that failed. */
  readonly span?: string | undefined;
  /** Called with the key of a span that the person chose. */
  readonly onSpan?: (key: string) => void;
  /** Offers to run the turn again with changes. */
  readonly onReplay?: (turn: Turn) => void;
}

/** One turn understood: its waterfall with what each span recorded, its variables, and why something did not run. */
export function TracePanel({ app, turns, turn, span, onSpan, onReplay }: TracePanelProps) {
  if (!turn?.rootSpan) {
    return (
      <aside className="trace" aria-label="Trace">
        <h2>Trace</h2>
        <p className="empty">
          {turn?.status === "failed"
            ? "This turn failed before it was stored, so it has no trace."
            : "The trace appears here after the agent responds."}
        </p>
      </aside>
    );
  }
  return (
    <Trace
      key={turn.index}
      app={app}
      turns={turns}
      turn={turn}
      span={span}
      onSpan={onSpan}
      rootSpan={turn.rootSpan}
      onReplay={onReplay}
    />
  );
}

function Trace({
  app,
  turns,
  turn,
  span,
  onSpan,
  rootSpan,
  onReplay,
}: TracePanelProps & { turn: Turn; rootSpan: NonNullable<Turn["rootSpan"]> }) {
  const rows = spanRows(rootSpan);
  const [chosen, setChosen] = useState(() => span ?? (rows.find(({ failed }) => failed) ?? rows[0])?.key ?? "0");
  const choose = (key: string) => {
    setChosen(key);
    onSpan?.(key);
  };
  const codeIndex = useAppCodeIndex(app);
  const cost = costOf(rootSpan);
  const state = stateAt(turns, turns.indexOf(turn));
  const changed = changesOf(state).length;
  const odd = callbackRuns(codeIndex.agents, rootSpan).filter(({ reason, runs }) => reason && runs > 0).length;
  const row = rows.find(({ key }) => key === chosen) ?? rows[0];
  return (
    <aside className="trace" aria-label="Trace">
      <header className="trace-head">
        <h2>Turn {turn.index + 1}</h2>
        <p className="trace-cost">
          {timeText(cost.milliseconds)}
          {cost.inputTokens + cost.outputTokens > 0 && (
            <>
              {" "}
              · {cost.inputTokens.toLocaleString("en")} input tokens, {cost.outputTokens.toLocaleString("en")} output
              tokens
            </>
          )}
        </p>
        {onReplay && (
          <Button small onPress={() => onReplay(turn)}>
            <GitCompareArrows size={15} aria-hidden="true" /> Replay with edits
          </Button>
        )}
      </header>
      <Tabs
        label="Views of the turn"
        items={[
          {
            id: "spans",
            label: "Trace",
            content: (
              <>
                <Waterfall rows={rows} chosen={row?.key ?? "0"} onChoose={choose} />
                {row && <SpanDetail key={row.key} row={row} codeIndex={codeIndex} messages={turn.messages} />}
              </>
            ),
          },
          {
            id: "state",
            label: <>Variables {changed > 0 && <Badge>{changed}</Badge>}</>,
            content: (
              <Suspense fallback={<Loading>Loading variables…</Loading>}>
                <StateView state={state} />
              </Suspense>
            ),
          },
          {
            id: "checks",
            label: <>Checks {odd > 0 && <Badge tone="error">{odd}</Badge>}</>,
            content: (
              <Suspense fallback={<Loading>Loading checks…</Loading>}>
                <ChecksView app={app} agents={codeIndex.agents} rootSpan={rootSpan} />
              </Suspense>
            ),
          },
        ]}
      />
    </aside>
  );
}
