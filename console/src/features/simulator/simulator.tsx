import { Columns2, PanelRight, Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/field.tsx";
import { ConnectButton } from "../connect/connect-button.tsx";
import type { Subject } from "../connect/snippets.ts";
import { TracePanel } from "../traces/trace-panel.tsx";
import { moveDraft } from "./message-box/message-draft.ts";
import { MAX_SESSIONS, newSessionId } from "./session-ids.ts";
import { SessionPane } from "./session-pane.tsx";
import { readSettings, type SessionSettings, writeSettings } from "./session-settings.ts";
import { deploymentAfterFirstTurn } from "./target.ts";
import type { Turn } from "./turn.ts";
import type { TurnInput } from "./turn-input.ts";
import type { Session } from "./use-session.ts";
import "../../styles/simulator/panes.css";
import "../../styles/simulator/sessions.css";

const ReplayDialog = lazy(() => import("../replay/replay-dialog.tsx").then((view) => ({ default: view.ReplayDialog })));
const SessionSettingsDialog = lazy(() =>
  import("./session-settings-dialog.tsx").then((view) => ({ default: view.SessionSettingsDialog })),
);

interface SimulatorProps {
  readonly app: string;
  /** The sessions on the page, from left to right. */
  readonly ids: readonly string[];
  readonly onShow: (ids: readonly string[]) => void;
}

/** Conversations with one app, side by side, and the trace of the turn that was chosen. */
export function Simulator({ app, ids, onShow }: SimulatorProps) {
  const sessions = useRef(new Map<string, Session>());
  const [, setChanges] = useState(0);
  /** The session whose trace is shown, and the turn if another than the last was chosen. */
  const [shown, setShown] = useState<{ readonly id: string; readonly turn?: number }>({ id: ids[0] ?? "" });
  const [side, setSide] = useState<"chat" | "trace">("chat");
  const [traced, setTraced] = useState(true);
  const [together, setTogether] = useState(false);
  const [adjusting, setAdjusting] = useState<string>();
  const [compared, setCompared] = useState<{ readonly session: Session; readonly turn: Turn }>();
  const onChange = useCallback((id: string, session: Session) => {
    sessions.current.set(id, session);
    setChanges((before) => before + 1);
  }, []);
  const replace = (id: string, settings: SessionSettings) => {
    const next = newSessionId();
    writeSettings(`${app}/sessions/${next}`, settings);
    if (id) moveDraft(id, next);
    sessions.current.delete(id);
    if (shown.id === id || !ids.includes(shown.id)) setShown({ id: next });
    onShow(ids.includes(id) ? ids.map((each) => (each === id ? next : each)) : [...ids, next]);
  };
  const settingsOf = (id: string) => readSettings(`${app}/sessions/${id}`);
  const close = (id: string) => {
    const left = ids.filter((each) => each !== id);
    sessions.current.delete(id);
    if (shown.id === id) setShown({ id: left[0] ?? "" });
    onShow(left);
  };
  const send = (session: Session, input: TurnInput) => {
    const all = ids.flatMap((id) => sessions.current.get(id) ?? []);
    for (const each of together ? all : [session]) if (!each.running && !each.ended) each.send(input);
    const id = session.name.slice(session.name.lastIndexOf("/") + 1);
    setShown({ id });
  };
  const active = ids.includes(shown.id) ? shown.id : (ids[0] ?? "");
  const target = settingsOf(active).target;
  const subject = useMemo<Subject>(() => {
    const session = `${app}/sessions/${active}`;
    return { kind: "session", origin: window.location.origin, session, deployment: deploymentAfterFirstTurn(target) };
  }, [app, active, target]);
  const session = sessions.current.get(active);
  const turns = session?.turns ?? [];
  const answering = ids.some((id) => sessions.current.get(id)?.running);
  const turn = turns.find(({ index }) => index === shown.turn) ?? turns.at(-1);
  return (
    <div className="page">
      <header className="page-head">
        <h1>Simulator</h1>
        <div className="end">
          {ids.length > 1 && (
            <Switch selected={together} onChange={setTogether}>
              Send to all
            </Switch>
          )}
          <Button isDisabled={ids.length >= MAX_SESSIONS} onPress={() => replace("", settingsOf(active))}>
            <Columns2 size={16} aria-hidden="true" /> Side by side
          </Button>
          <Button onPress={() => replace(active, settingsOf(active))}>
            <Plus size={16} aria-hidden="true" /> New session
          </Button>
          <ConnectButton subject={subject} />
          <span className="wide-only">
            <Button onPress={() => setTraced(!traced)}>
              <PanelRight size={16} aria-hidden="true" /> {traced ? "Hide trace" : "Show trace"}
            </Button>
          </span>
        </div>
      </header>
      <nav className="pane-switch" aria-label="View">
        <Button small tone={side === "chat" ? "primary" : "neutral"} onPress={() => setSide("chat")}>
          Conversation
        </Button>
        <Button small tone={side === "trace" ? "primary" : "neutral"} onPress={() => setSide("trace")}>
          Trace
        </Button>
      </nav>
      <div className="simulator-panes" data-side={side} data-traced={traced}>
        <div className="sessions" data-count={ids.length}>
          {ids.map((id) => (
            <SessionPane
              key={id}
              app={app}
              id={id}
              chosen={id === active ? turn?.index : undefined}
              only={ids.length === 1}
              blocked={together && answering}
              onChange={onChange}
              onChoose={(chosen) => {
                setShown({ id, turn: chosen.index });
                setTraced(true);
                setSide("trace");
              }}
              onSend={send}
              onTarget={(target) => replace(id, { ...settingsOf(id), target })}
              onSettings={() => setAdjusting(id)}
              onRestart={() => replace(id, settingsOf(id))}
              onClose={() => close(id)}
            />
          ))}
        </div>
        <TracePanel
          app={app}
          turns={turns}
          turn={turn}
          onCompare={(chosen) => session && setCompared({ session, turn: chosen })}
        />
      </div>
      <Suspense>
        {adjusting !== undefined && (
          <SessionSettingsDialog
            app={app}
            settings={settingsOf(adjusting)}
            onClose={() => setAdjusting(undefined)}
            onStart={(settings) => {
              setAdjusting(undefined);
              replace(adjusting, settings);
            }}
          />
        )}
        {compared && <ReplayDialog app={app} {...compared} onClose={() => setCompared(undefined)} />}
      </Suspense>
    </div>
  );
}
