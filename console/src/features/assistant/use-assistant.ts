import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { AssistantService } from "@frontdesk/protos/ces/assistant_service";
import type { AssistantSuggestion } from "@frontdesk/protos/ces/assistant_session";
import {
  SessionService,
  type StreamChatAiAssistantRequestSchema,
  type StreamChatAiAssistantResponse as StreamEvent,
} from "@frontdesk/protos/ces/session_service";
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { type Entry, entriesOf, NO_ANSWER, settled, userEntry, withEvent } from "./entries.ts";
import { type StoredSession, storedSession } from "./stored-session.ts";

const sessions = createClient(AssistantService, transport);
const turns = createClient(SessionService, transport);

const CAPABILITIES = { clientCapabilities: ["CONFIRMATION_CARDS"] };

/** A conversation with the assistant about an app, stored by the server. */
interface AssistantChat {
  readonly entries: readonly Entry[];
  /** What it is doing; "" while it does nothing or has not said so. */
  readonly progress: string;
  readonly running: boolean;
  readonly failure: StatusError | undefined;
  readonly suggestions: readonly AssistantSuggestion[];
  say(text: string): void;
  /** Stores the change that waits, or leaves the app as it is. */
  confirm(confirmationId: string, confirmed: boolean): void;
  /** Says again what was not answered. */
  retry(): void;
  stop(): void;
  /** Opens a stored conversation by its id; "" begins a new one. */
  open(sessionId: string): void;
}

type Turn = MessageInitShape<typeof StreamChatAiAssistantRequestSchema>;
type SetEntries = Dispatch<SetStateAction<readonly Entry[]>>;

/** Talks with the assistant about an app. The session is made with the first message, and found again after a reload. */
export function useAssistant(app: string): AssistantChat {
  const [kept] = useState(() => storedSession(app));
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const { run, leave, setFailure, ...turn } = useTurns(app, kept, setEntries);
  const suggestions = useSuggestions(app, entries.length === 0);

  const open = useCallback(
    (sessionId: string) => {
      leave();
      kept.name = sessionId === "" ? "" : `${app}/assistantSessions/${sessionId}`;
      setEntries([]);
      if (!kept.name) return;
      sessions
        .getAssistantSession({ name: kept.name })
        .then(({ messages, state }) => {
          const isRunning = state === "RUNNING";
          const stored = entriesOf(messages, state === "AWAITING_CONFIRMATION");
          setEntries(isRunning ? [...stored, NO_ANSWER] : stored);
          if (isRunning) void run({ attachOnly: true });
        })
        .catch((error: unknown) => {
          const status = toStatusError(error);
          if (status.code === "NOT_FOUND") kept.name = "";
          else setFailure(status);
        });
    },
    [app, kept, leave, run, setFailure],
  );
  useEffect(() => {
    if (kept.name) open(kept.name.slice(kept.name.lastIndexOf("/") + 1));
    // A turn goes on without its page; whoever opens the session again follows it.
    return leave;
  }, [kept, leave, open]);

  return {
    ...turn,
    entries,
    suggestions,
    open,
    say: (text) => {
      setEntries((before) => [...settled(before, "", "past"), userEntry(text), NO_ANSWER]);
      void run({ message: text });
    },
    confirm: (confirmationId, confirmed) => {
      setEntries((before) => [...settled(before, confirmationId, confirmed ? "applied" : "declined"), NO_ANSWER]);
      void run({ confirmationResponse: { confirmationId, confirmed } });
    },
    retry: () => {
      const unanswered = entries.at(-1);
      if (unanswered?.by !== "user") return setFailure(undefined);
      setEntries((before) => [...before, NO_ANSWER]);
      void run({ message: unanswered.text });
    },
    stop: () => {
      turns.cancelAssistantTurn({ name: kept.name }).catch((error: unknown) => setFailure(toStatusError(error)));
    },
  };
}

/** Runs turns, one at a time, and adds what is told to the last entry. */
function useTurns(app: string, kept: StoredSession, setEntries: SetEntries) {
  const [progress, setProgress] = useState("");
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<StatusError>();
  const refresh = useRefresh();
  const aborter = useRef<AbortController>(null);

  const hear = useCallback(
    (event: StreamEvent) => {
      if (event.event.case !== "status")
        return setEntries((before) => [...before.slice(0, -1), withEvent(before.at(-1) ?? NO_ANSWER, event)]);
      const { code, message } = event.event.value;
      if (code === 0) setProgress(message);
      else setFailure({ message, code: "FAILED" });
    },
    [setEntries],
  );
  const leave = useCallback(() => {
    aborter.current?.abort();
    setRunning(false);
    setProgress("");
    setFailure(undefined);
  }, []);
  const run = useCallback(
    async (turn: Turn) => {
      aborter.current = new AbortController();
      const { signal } = aborter.current;
      setRunning(true);
      setFailure(undefined);
      try {
        const name = await nameOf(kept, app, signal);
        const request = { name, ...CAPABILITIES, ...turn };
        for await (const event of turns.streamChatAiAssistant(request, { signal })) hear(event);
        await refresh();
      } catch (error) {
        if (!signal.aborted) setFailure(toStatusError(error));
      }
      // Another conversation was opened meanwhile.
      if (signal.aborted) return;
      setRunning(false);
      setProgress("");
      setEntries(withoutEmptyAnswer);
    },
    [app, hear, kept, refresh, setEntries],
  );
  return { progress, running, failure, setFailure, run, leave };
}

/** The session's name; it is made when there is none. */
async function nameOf(kept: StoredSession, app: string, signal: AbortSignal): Promise<string> {
  kept.name ||= (await sessions.createAssistantSession({ parent: app }, { signal })).name;
  return kept.name;
}

/** A turn that failed has no answer. */
function withoutEmptyAnswer(entries: readonly Entry[]): readonly Entry[] {
  return entries.at(-1) === NO_ANSWER ? entries.slice(0, -1) : entries;
}

/** What could be asked first, read while nothing was said. */
function useSuggestions(app: string, wanted: boolean): readonly AssistantSuggestion[] {
  const [suggestions, setSuggestions] = useState<readonly AssistantSuggestion[]>([]);
  useEffect(() => {
    if (!wanted) return;
    const aborter = new AbortController();
    turns
      .generateOnboardingSuggestions({ name: app }, { signal: aborter.signal })
      .then((found) => setSuggestions(found.suggestions))
      .catch(() => setSuggestions([])); // They are an offer: without them one can still type.
    return () => aborter.abort();
  }, [app, wanted]);
  return wanted ? suggestions : [];
}
