import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { formatAppName } from "../api/app-name.ts";
import { AppPicker } from "../components/app-picker.tsx";
import { Brand } from "../components/brand.tsx";
import { Chat } from "../features/simulator/chat.tsx";
import { useSession } from "../features/simulator/use-session.ts";
import { TracePanel } from "../features/traces/trace-panel.tsx";

/** One app: the conversation on the left, the trace of the chosen turn on the right. */
export function AppRoute() {
  const name = formatAppName(useParams({ from: "/console/projects/$project/locations/$location/apps/$app" }));
  return <Simulator key={name} app={name} />;
}

function Simulator({ app }: { readonly app: string }) {
  const session = useSession(app);
  const [chosen, setChosen] = useState<number>();
  const turn = session.turns[chosen ?? session.turns.length - 1];
  return (
    <div className="page">
      <header className="bar">
        <Brand />
        <AppPicker app={app} />
        <code className="session-id" title="Session name">
          {session.id}
        </code>
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setChosen(undefined);
            session.restart();
          }}
        >
          New session
        </button>
      </header>
      <main className="panes">
        <Chat session={session} chosen={turn?.index} onChoose={setChosen} />
        <TracePanel turn={turn} />
      </main>
    </div>
  );
}
