import { useCallback, useEffect, useRef, useState } from "react";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import type { Turn } from "../simulator/turn.ts";
import type { Session } from "../simulator/use-session.ts";
import { type ReplayEdits, replayTurn } from "./replay-turn.ts";

/** A turn that is run again, as often as one likes. */
interface Replay {
  /** What came of it so far. */
  readonly turn: Turn | undefined;
  readonly running: boolean;
  readonly error: StatusError | undefined;
  run(edits: ReplayEdits): void;
}

/** Runs a turn again with edits; leaving the page ends it, and the copy of the app is deleted all the same. */
export function useReplay(app: string, session: Session, turn: Turn): Replay {
  const [result, setResult] = useState<Turn>();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<StatusError>();
  const aborter = useRef<AbortController>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const run = useCallback(
    (edits: ReplayEdits) => {
      aborter.current = new AbortController();
      setResult(undefined);
      setError(undefined);
      setRunning(true);
      replayTurn({ app, session, turn, edits }, aborter.current.signal, setResult)
        .catch((error: unknown) => setError(toStatusError(error)))
        .finally(() => setRunning(false));
    },
    [app, session, turn],
  );
  return { turn: result, running, error, run };
}
