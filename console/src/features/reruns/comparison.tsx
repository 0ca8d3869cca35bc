import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Turn } from "../simulator/turn.ts";
import type { Session } from "../simulator/use-session.ts";
import { useCodeShelf } from "../traces/use-code-shelf.ts";
import { ChangesForm } from "./changes-form.tsx";
import { RunColumn } from "./run-column.tsx";
import { useRerun } from "./use-rerun.ts";
import "../../styles/reruns.css";

interface ComparisonProps {
  readonly app: string;
  readonly session: Session;
  readonly turn: Turn;
  readonly onClose: () => void;
}

/** A turn run again with something changed, beside the turn as it was. */
export function Comparison({ app, session, turn, onClose }: ComparisonProps) {
  const { agents, tools } = useCodeShelf(app);
  const again = useRerun(app, session, turn);
  return (
    <Dialog title={`Turn ${turn.index + 1}, run again`} open onClose={onClose} dismissable={false} wide>
      <div className="stack">
        <p className="muted">
          The turn runs from where the conversation stood, in a copy of the app that is deleted afterwards. Tools that
          are not replaced are really called.
        </p>
        {agents.length === 0 ? (
          <Busy>Reading the agents</Busy>
        ) : (
          <ChangesForm turn={turn} agents={agents} tools={tools} running={again.running} onRun={again.run} />
        )}
        {again.refusal && <Banner tone="bad" refusal={again.refusal} />}
        {again.running && !again.turn && <Busy>Copying the app</Busy>}
        {again.turn && (
          <div className="runs">
            <RunColumn title="As it was" turn={turn} />
            <RunColumn title="With the changes" turn={again.turn} other={turn} />
          </div>
        )}
      </div>
      <div className="actions">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
