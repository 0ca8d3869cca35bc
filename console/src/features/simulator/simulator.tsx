import { Columns2, PanelRight, Plus } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/field.tsx";
import { Heading } from "../../components/heading.tsx";
import { ConnectButton } from "../connect/connect-button.tsx";
import type { Subject } from "../connect/snippets.ts";
import { TracePanel } from "../traces/trace-panel.tsx";
import { MAX_SESSIONS } from "./session-ids.ts";
import { SessionPane } from "./session-pane.tsx";
import { deploymentAfterFirstTurn } from "./target.ts";
import type { Turn } from "./turn.ts";
import type { Session } from "./use-session.ts";
import { type SimulatorState, useSimulator } from "./use-simulator.ts";
import "../../styles/simulator/panes.css";
import "../../styles/simulator/sessions.css";

const ReplayDialog = lazy(() => import("../replay/replay-dialog.tsx").then((view) => ({ default: view.ReplayDialog })));
const SessionSettingsDialog = lazy(() =>
  import("./session-settings-dialog.tsx").then((view) => ({ default: view.SessionSettingsDialog })),
);

interface SimulatorProps {
  readonly app: string;
  /** Ids of the sessions on the page, from left to right. */
  readonly ids: readonly string[];
  readonly onShow: (ids: readonly string[]) => void;
}

/** Sessions with one app, side by side, and the trace of the selected turn. */
export function Simulator({ app, ids, onShow }: SimulatorProps) {
  const simulator = useSimulator(app, ids, onShow);
  const { active, session, turn, settingsOf, replace } = simulator;
  const [pane, setPane] = useState<Pane>("chat");
  const [traced, setTraced] = useState(true);
  const [toAll, setToAll] = useState(false);
  const [configured, setConfigured] = useState<string>();
  const [replayed, setReplayed] = useState<{ readonly session: Session; readonly turn: Turn }>();
  return (
    <div className="page">
      <Header
        app={app}
        ids={ids}
        simulator={simulator}
        toAll={toAll}
        onToAll={setToAll}
        traced={traced}
        onTraced={setTraced}
      />
      <PaneSwitch pane={pane} onPane={setPane} />
      <div className="simulator-panes" data-side={pane} data-traced={traced}>
        <div className="sessions" data-count={ids.length}>
          {ids.map((id) => (
            <SessionPane
              key={id}
              app={app}
              id={id}
              chosen={id === active ? turn?.index : undefined}
              only={ids.length === 1}
              created={id === simulator.created}
              blocked={toAll && simulator.answering}
              onChange={simulator.update}
              onChoose={(chosen) => {
                simulator.selectTurn(id, chosen);
                setTraced(true);
                setPane("trace");
              }}
              onSend={(from, input) => simulator.send(from, input, toAll)}
              onTarget={(target) => replace(id, { ...settingsOf(id), target })}
              onSettings={() => setConfigured(id)}
              onRestart={() => replace(id, settingsOf(id))}
              onClose={() => simulator.close(id)}
            />
          ))}
        </div>
        <TracePanel
          app={app}
          turns={session?.turns ?? []}
          turn={turn}
          onReplay={(chosen) => session && setReplayed({ session, turn: chosen })}
        />
      </div>
      <Suspense>
        {configured !== undefined && (
          <SessionSettingsDialog
            app={app}
            settings={settingsOf(configured)}
            onClose={() => setConfigured(undefined)}
            onStart={(settings) => {
              setConfigured(undefined);
              replace(configured, settings);
            }}
          />
        )}
        {replayed && <ReplayDialog app={app} {...replayed} onClose={() => setReplayed(undefined)} />}
      </Suspense>
    </div>
  );
}

interface HeaderProps extends Pick<SimulatorProps, "app" | "ids"> {
  readonly simulator: SimulatorState;
  readonly toAll: boolean;
  readonly onToAll: (toAll: boolean) => void;
  readonly traced: boolean;
  readonly onTraced: (traced: boolean) => void;
}

function Header({ app, ids, simulator, toAll, onToAll, traced, onTraced }: HeaderProps) {
  const { active, settingsOf, replace } = simulator;
  const { target } = settingsOf(active);
  const subject = useMemo<Subject>(() => {
    const session = `${app}/sessions/${active}`;
    return { kind: "session", origin: window.location.origin, session, deployment: deploymentAfterFirstTurn(target) };
  }, [app, active, target]);
  return (
    <header className="page-head">
      <Heading>Simulator</Heading>
      <div className="end">
        {ids.length > 1 && (
          <Switch selected={toAll} onChange={onToAll}>
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
          <Button onPress={() => onTraced(!traced)}>
            <PanelRight size={16} aria-hidden="true" /> {traced ? "Hide trace" : "Show trace"}
          </Button>
        </span>
      </div>
    </header>
  );
}

/** What a narrow screen shows: the sessions or the trace. */
type Pane = "chat" | "trace";

function PaneSwitch({ pane, onPane }: { readonly pane: Pane; readonly onPane: (pane: Pane) => void }) {
  return (
    <nav className="pane-switch" aria-label="View">
      <Button small tone={pane === "chat" ? "primary" : "neutral"} onPress={() => onPane("chat")}>
        Conversation
      </Button>
      <Button small tone={pane === "trace" ? "primary" : "neutral"} onPress={() => onPane("trace")}>
        Trace
      </Button>
    </nav>
  );
}
