import { Code, ConnectError } from "@connectrpc/connect";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { useCallback, useEffect, useRef, useState } from "react";
import { agentService } from "../../api/clients.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { callsOf, withRecordedWidgets } from "./recorded-widgets.ts";
import { runTurn } from "./run-turn.ts";
import { isStored, leaveSession } from "./session-ids.ts";
import { readSettings, type SessionSettings } from "./session-settings.ts";
import { beginTurn, type Turn, turnsOf } from "./turn.ts";
import type { TurnInput } from "./turn-input.ts";

/** A conversation with one app. */
export interface Session {
  /** `projects/…/sessions/{id}`. */
  readonly name: string;
  readonly settings: SessionSettings;
  readonly turns: readonly Turn[];
  /** Whether the turns are still being read from the server. */
  readonly reading: boolean;
  /** Why they could not be read. */
  readonly error: StatusError | undefined;
  readonly running: boolean;
  readonly ended: boolean;
  send(input: TurnInput): void;
  /** Stops waiting for the turn that runs. */
  stop(): void;
  /** Removes a rejected turn from the page and sends its input again. */
  retry(turn: Turn): void;
  /** A turn that came in by another way, e.g. by voice. */
  merge(turns: (before: readonly Turn[]) => readonly Turn[]): void;
}

/** Loads a session, or opens it, and holds its turns. Runs once for an id: remount for another. */
export function useSession(app: string, id: string): Session {
  const name = `${app}/sessions/${id}`;
  const [settings] = useState(() => readSettings(name));
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [reading, setReading] = useState(() => isStored(id));
  const [error, setError] = useState<StatusError>();
  const aborter = useRef<AbortController>(null);
  /** Turns on the page, and whether the server has one of them. */
  const count = useRef(0);
  const begun = useRef(false);

  const send = useCallback(
    (input: TurnInput) => {
      aborter.current = new AbortController();
      const { signal } = aborter.current;
      const index = count.current++;
      setTurns((before) => [...before, beginTurn(index, input)]);
      const update = (change: (turn: Turn) => Turn) =>
        setTurns((before) => before.map((turn) => (turn.index === index ? change(turn) : turn)));
      void runTurn({ app, session: name, settings, first: !begun.current, input }, signal, update).then((answered) => {
        begun.current ||= answered;
      });
    },
    [app, name, settings],
  );

  useEffect(() => {
    const leaving = new AbortController();
    const open = (stored: readonly Turn[]) => {
      count.current = stored.length;
      begun.current = stored.length > 0;
      setTurns(stored);
      if (stored.length === 0 && settings.opening) send([{ kind: "event", event: settings.opening }]);
    };
    if (!isStored(id)) open([]);
    else
      readTurns(app, name, leaving.signal)
        .then((found) => {
          if (leaving.signal.aborted) return;
          setReading(false);
          open(found);
        })
        .catch((error: unknown) => {
          if (leaving.signal.aborted) return;
          setReading(false);
          setError(toStatusError(error));
        });
    return () => {
      leaving.abort();
      aborter.current?.abort();
      leaveSession(id);
    };
  }, [app, id, name, send, settings.opening]);

  return {
    name,
    settings,
    turns,
    reading,
    error,
    running: turns.at(-1)?.status === "running",
    ended: turns.some(({ ended }) => ended !== undefined),
    send,
    stop: () => aborter.current?.abort(),
    retry: ({ index, input }) => {
      setTurns((before) => before.filter((turn) => turn.index !== index));
      count.current -= 1;
      send(input);
    },
    merge: (change) =>
      setTurns((before) => {
        const after = change(before);
        count.current = after.length;
        begun.current ||= after.length > 0;
        return after;
      }),
  };
}

/** The stored turns of a session, with widgets rendered; none when the server stored none. */
async function readTurns(app: string, session: string, signal: AbortSignal): Promise<readonly Turn[]> {
  const found = await readConversation(session, signal);
  const turns = found ? turnsOf(found) : [];
  if (turns.every((turn) => callsOf(turn).length === 0)) return turns;
  const { tools } = await agentService.listTools({ parent: app, pageSize: 1000 }, { signal });
  return withRecordedWidgets(turns, tools);
}

/** The stored conversation of a session (its whole name); undefined when the server stored none. */
async function readConversation(session: string, signal: AbortSignal): Promise<Conversation | undefined> {
  try {
    return await agentService.getConversation({ name: session.replace("/sessions/", "/conversations/") }, { signal });
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}
