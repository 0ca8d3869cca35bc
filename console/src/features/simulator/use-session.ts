import { type Client, createClient } from "@connectrpc/connect";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { toRefusal } from "../../api/refusal.ts";
import { transport } from "../../api/transport.ts";
import { beginTurn, type Turn, type TurnInput, withOutput } from "./turn.ts";

/** A conversation with one app. */
export interface Session {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly running: boolean;
  readonly ended: boolean;
  send(input: TurnInput): void;
  restart(): void;
}

const WELCOME: TurnInput = { kind: "event", event: "welcome" };

/** Opens a session with a welcome event and keeps its turns. */
export function useSession(app: string): Session {
  const client = useMemo(() => createClient(SessionService, transport), []);
  const [id, setId] = useState(newSessionId);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const aborter = useRef<AbortController>(null);

  const send = useCallback(
    (input: TurnInput) => {
      aborter.current = new AbortController();
      const { signal } = aborter.current;
      setTurns((before) => [...before, beginTurn(before.length, input)]);
      const replaceLast = (change: (turn: Turn) => Turn) => {
        if (!signal.aborted)
          setTurns((before) => before.map((turn, index) => (index === before.length - 1 ? change(turn) : turn)));
      };
      void runTurn(client, `${app}/sessions/${id}`, input, signal, replaceLast);
    },
    [app, client, id],
  );

  useEffect(() => {
    setTurns([]);
    send(WELCOME);
    return () => aborter.current?.abort();
  }, [send]);

  const last = turns.at(-1);
  return {
    id,
    turns,
    running: last?.status === "running",
    ended: turns.some((turn) => turn.ended),
    send,
    restart: () => setId(newSessionId()),
  };
}

async function runTurn(
  client: Client<typeof SessionService>,
  session: string,
  input: TurnInput,
  signal: AbortSignal,
  update: (change: (turn: Turn) => Turn) => void,
): Promise<void> {
  const inputType =
    input.kind === "text"
      ? { case: "text" as const, value: input.text }
      : { case: "event" as const, value: { event: input.event } };
  const request = { config: { session, enableTextStreaming: true }, inputs: [{ inputType }] };
  try {
    for await (const { outputs } of client.streamRunSession(request, { signal })) {
      for (const output of outputs) update((turn) => withOutput(turn, output));
    }
    update((turn) => (turn.status === "running" ? { ...turn, status: "done" } : turn));
  } catch (error) {
    update((turn) => ({ ...turn, status: "refused", refusal: toRefusal(error) }));
  }
}

function newSessionId(): string {
  return crypto.randomUUID?.() ?? `console-${Date.now().toString(36)}`;
}
