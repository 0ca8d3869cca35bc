import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loading } from "../../components/loading.tsx";
import type { Turn } from "../simulator/turn.ts";
import type { Session } from "../simulator/use-session.ts";
import { useAppCodeIndex } from "../traces/use-app-code-index.ts";
import { EditsForm } from "./edits-form.tsx";
import { RunColumn } from "./run-column.tsx";
import { useReplay } from "./use-replay.ts";
import "../../styles/replay.css";

interface ReplayDialogProps {
  readonly app: string;
  readonly session: Session;
  readonly turn: Turn;
  readonly onClose: () => void;
}

/** A turn run again with something changed, beside the turn as it was. */
export function ReplayDialog({ app, session, turn, onClose }: ReplayDialogProps) {
  const { agents, tools } = useAppCodeIndex(app);
  const again = useReplay(app, session, turn);
  return (
    <Dialog title={`Replay turn ${turn.index + 1} with edits`} open onClose={onClose} dismissable={false} wide>
      <div className="stack">
        <p className="muted">
          The turn runs from the state before it, in a temporary copy of the app. Tools are called unless you edit their
          results.
        </p>
        {agents.length === 0 ? (
          <Loading>Loading agents…</Loading>
        ) : (
          <EditsForm turn={turn} agents={agents} tools={tools} running={again.running} onRun={again.run} />
        )}
        {again.error && <Banner tone="error" error={again.error} />}
        {again.running && !again.turn && <Loading>Copying app…</Loading>}
        {again.turn && (
          <div className="runs">
            <RunColumn title="Original" turn={turn} />
            <RunColumn title="Replay" turn={again.turn} other={turn} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
