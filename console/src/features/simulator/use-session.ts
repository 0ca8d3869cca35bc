import { Code, ConnectError } from "@connectrpc/connect";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { useCallback, useEffect, useRef, useState } from "react";
import { agentService } from "../../api/clients.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { callsOf, withRecordedWidgets } from "./recorded-widgets.ts";
import { runTurn } from "./run-turn.ts";
import { isStored, markSpoken } from "./session-ids.ts";
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
  /** Sends an input as the next turn. The first one starts the session: the opening event of the settings is sent before it. */
  send(input: TurnInput): void;
  /** Starts the session with its opening event alone. */
  start(): void;
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
  const aborter = useRef<AbortController>(null);
  /** Turns on the page, and whether the server has one of them. */
  const count = useRef(0);
  const begun = useRef(false);

  const run = useCallback(
    async (index: number, input: TurnInput, signal: AbortSignal) => {
      const update = (change: (turn: Turn) => Turn) => setTurns((before) => withChanged(before, index, change));
      const answered = await runTurn({ app, session: name, settings, first: !begun.current, input }, signal, update);
      begun.current ||= answered;
      return answered;
    },
    [app, name, settings],
  );

  const send = useCallback(
    (input: TurnInput) => {
      aborter.current = new AbortController();
      const { signal } = aborter.current;
      const opening = count.current === 0 ? openingBefore(input, settings) : undefined;
      const inputs = opening ? [opening, input] : [input];
      const from = count.current;
      count.current += inputs.length;
      markSpoken(id);
      setTurns((before) => [...before, ...inputs.map((each, at) => beginTurn(from + at, each))]);
      const runAll = async () => {
        if (!opening) return run(from, input, signal);
        if (await run(from, opening, signal)) return run(from + 1, input, signal);
        // Nothing began: one failed turn is left, which sends both again.
        count.current = from + 1;
        setTurns(withoutFailedOpening);
        return false;
      };
      void runAll();
    },
    [id, run, settings],
  );

  const onStored = useCallback((stored: readonly Turn[]) => {
    count.current = stored.length;
    begun.current = stored.length > 0;
    setTurns(stored);
  }, []);
  const { reading, error } = useStoredTurns(app, id, onStored);
  useEffect(() => () => aborter.current?.abort(), []);

  return {
    name,
    settings,
    turns,
    reading,
    error,
    running: turns.at(-1)?.status === "running",
    ended: turns.some(({ ended }) => ended !== undefined),
    send,
    start: () => settings.opening && send(eventInput(settings.opening)),
    stop: () => aborter.current?.abort(),
    retry: ({ index, input }) => {
      setTurns((before) => before.filter((turn) => turn.index !== index));
      count.current -= 1;
      send(input);
    },
    merge: (change) =>
      setTurns((before) => {
        const after = change(before);
        if (after.length > 0) markSpoken(id);
        count.current = after.length;
        begun.current ||= after.length > 0;
        return after;
      }),
  };
}

/** Reads the turns that the server has of a session, if it can have any; a changed `onRead` reads again. */
function useStoredTurns(
  app: string,
  id: string,
  onRead: (turns: readonly Turn[]) => void,
): Pick<Session, "reading" | "error"> {
  const [reading, setReading] = useState(() => isStored(id));
  const [error, setError] = useState<StatusError>();
  useEffect(() => {
    if (!isStored(id)) return;
    const leaving = new AbortController();
    readTurns(app, `${app}/sessions/${id}`, leaving.signal)
      .then((found) => {
        if (!leaving.signal.aborted) onRead(found);
      })
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setError(toStatusError(error));
      })
      .finally(() => {
        if (!leaving.signal.aborted) setReading(false);
      });
    return () => leaving.abort();
  }, [app, id, onRead]);
  return { reading, error };
}

/** The opening event, if one is to be sent before the first input; an event that a person sends opens the session itself. */
function openingBefore(input: TurnInput, { opening }: SessionSettings): TurnInput | undefined {
  return opening === "" || input.some(({ kind }) => kind === "event") ? undefined : eventInput(opening);
}

function eventInput(event: string): TurnInput {
  return [{ kind: "event", event }];
}

function withChanged(turns: readonly Turn[], index: number, change: (turn: Turn) => Turn): readonly Turn[] {
  return turns.map((turn) => (turn.index === index ? change(turn) : turn));
}

/** The first two turns as one when the opening event failed: the person's input, with the error of the opening. */
function withoutFailedOpening([opening, ...turns]: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) => ({ ...turn, index: turn.index - 1, status: "failed", error: opening?.error }));
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
