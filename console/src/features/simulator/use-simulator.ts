import { useCallback, useRef, useState } from "react";
import { resourceId } from "../../api/resource-names.ts";
import { moveDraft } from "./message-box/message-draft.ts";
import { newSessionId } from "./session-ids.ts";
import { readSettings, type SessionSettings, writeSettings } from "./session-settings.ts";
import type { Turn } from "./turn.ts";
import type { TurnInput } from "./turn-input.ts";
import type { Session } from "./use-session.ts";

/** The sessions on the page of the simulator, and the turn whose trace is shown. */
export interface SimulatorState {
  /** Id of the session whose trace is shown. */
  readonly active: string;
  /** That session; undefined until its pane is rendered. */
  readonly session: Session | undefined;
  /** The selected turn of that session: the last one unless another was selected. */
  readonly turn: Turn | undefined;
  /** Id of the session that was created last on this page: it takes the focus. */
  readonly created: string | undefined;
  /** Whether a session on the page is still answering. */
  readonly answering: boolean;
  settingsOf(id: string): SessionSettings;
  /** Called by a pane whenever its session changes; the same function on each render. */
  update(id: string, session: Session): void;
  selectTurn(id: string, turn: Turn): void;
  /** Puts a new session in the place of another; "" adds one. Text that was typed and not sent moves along. */
  replace(id: string, settings: SessionSettings): void;
  close(id: string): void;
  /** Sends an input in one session, or in every session that can take it. */
  send(session: Session, input: TurnInput, toAll: boolean): void;
}

/**
 * @param ids ids of the sessions on the page, from left to right
 * @param onShow shows other sessions
 */
export function useSimulator(
  app: string,
  ids: readonly string[],
  onShow: (ids: readonly string[]) => void,
): SimulatorState {
  const sessions = useRef(new Map<string, Session>());
  const [, setChanges] = useState(0);
  const [created, setCreated] = useState<string>();
  const [shown, setShown] = useState<{ readonly id: string; readonly turn?: number }>({ id: ids[0] ?? "" });
  const update = useCallback((id: string, session: Session) => {
    sessions.current.set(id, session);
    setChanges((before) => before + 1);
  }, []);
  const active = ids.includes(shown.id) ? shown.id : (ids[0] ?? "");
  const session = sessions.current.get(active);
  return {
    active,
    session,
    created,
    turn: session?.turns.find(({ index }) => index === shown.turn) ?? session?.turns.at(-1),
    answering: ids.some((id) => sessions.current.get(id)?.running),
    settingsOf: (id) => readSettings(`${app}/sessions/${id}`),
    update,
    selectTurn: (id, { index }) => setShown({ id, turn: index }),
    replace: (id, settings) => {
      const next = newSessionId();
      writeSettings(`${app}/sessions/${next}`, settings);
      if (id) moveDraft(id, next);
      sessions.current.delete(id);
      setCreated(next);
      if (shown.id === id || !ids.includes(shown.id)) setShown({ id: next });
      onShow(ids.includes(id) ? ids.map((each) => (each === id ? next : each)) : [...ids, next]);
    },
    close: (id) => {
      const left = ids.filter((each) => each !== id);
      sessions.current.delete(id);
      if (shown.id === id) setShown({ id: left[0] ?? "" });
      onShow(left);
    },
    send: (from, input, toAll) => {
      const all = ids.flatMap((id) => sessions.current.get(id) ?? []);
      for (const each of toAll ? all : [from]) if (!each.running && !each.ended) each.send(input);
      setShown({ id: resourceId(from.name) });
    },
  };
}
