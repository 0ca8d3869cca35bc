import { useCallback, useEffect, useRef, useState } from "react";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import type { Turn } from "../simulator/turn.ts";
import type { Session } from "../simulator/use-session.ts";
import { type RerunChanges, rerun } from "./rerun.ts";

/** A turn that is run again, as often as one likes. */
export interface Rerun {
  /** What came of it so far. */
  readonly turn: Turn | undefined;
  readonly running: boolean;
  readonly refusal: Refusal | undefined;
  run(changes: RerunChanges): void;
}

/** Runs a turn again with changes; leaving the page ends it, and the copy of the app is deleted all the same. */
export function useRerun(app: string, session: Session, turn: Turn): Rerun {
  const [result, setResult] = useState<Turn>();
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const aborter = useRef<AbortController>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const run = useCallback(
    (changes: RerunChanges) => {
      aborter.current = new AbortController();
      setResult(undefined);
      setRefusal(undefined);
      setRunning(true);
      rerun({ app, session, turn, changes }, aborter.current.signal, setResult)
        .catch((error: unknown) => setRefusal(toRefusal(error)))
        .finally(() => setRunning(false));
    },
    [app, session, turn],
  );
  return { turn: result, running, refusal, run };
}
