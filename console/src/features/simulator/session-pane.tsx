import { RotateCcw, Settings2, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from "react";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { IconButton } from "../../components/button.tsx";
import { stateAt } from "../traces/state-at.ts";
import { VoiceButton } from "../voice/voice-button.tsx";
import { automaticResults } from "./client-calls/automatic-results.ts";
import { openCalls } from "./client-calls/open-calls.ts";
import { EndedNote } from "./ended-note.tsx";
import { Extras } from "./extras/extras.tsx";
import { MessageBox } from "./message-box/message-box.tsx";
import { useMessageDraft } from "./message-box/message-draft.ts";
import { isAdjusted } from "./session-settings.ts";
import { TargetPick } from "./target-pick.tsx";
import type { Turn } from "./turn.ts";
import type { TurnInput } from "./turn-input.ts";
import { TurnList } from "./turn-list.tsx";
import { type Session, useSession } from "./use-session.ts";

const AnswerCalls = lazy(() =>
  import("./client-calls/answer-calls.tsx").then((view) => ({ default: view.AnswerCalls })),
);

interface SessionPaneProps {
  readonly app: string;
  readonly id: string;
  /** Turn whose trace is shown, when it is this session's. */
  readonly chosen: number | undefined;
  /** Whether it is the only one: then it cannot be closed. */
  readonly only: boolean;
  /** Whether what is said goes to others, too, and one of them still answers. */
  readonly held: boolean;
  /** Hears of the session whenever it changes. */
  readonly onChange: (id: string, session: Session) => void;
  readonly onChoose: (turn: Turn) => void;
  /** Another session in its place, run as `target` says. */
  readonly onTarget: (target: string) => void;
  readonly onSettings: () => void;
  readonly onRestart: () => void;
  readonly onClose: () => void;
  /** Sends in this session, or in all of them. */
  readonly onSend: (session: Session, input: TurnInput) => void;
}

/** One session: what it runs, its conversation, where one writes. */
export function SessionPane({ app, id, chosen, only, held, onChange, onChoose, onSend, ...deeds }: SessionPaneProps) {
  const session = useSession(app, id);
  const { turns, running, ended, settings } = session;
  const [text, setText] = useMessageDraft(id);
  const current = useRef(session);
  current.current = session;
  const calls = useMemo(() => openCalls(turns.at(-1)), [turns]);
  const variables = useMemo(() => stateAt(turns, turns.length - 1).after, [turns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters of a session is in its turns
  useEffect(() => onChange(id, session), [turns, session.reading]);
  const { send } = session;
  useEffect(() => {
    const results = automaticResults(app, calls);
    if (results) send([{ kind: "results", results }]);
  }, [app, calls, send]);
  const say = useCallback((said: string) => current.current.send([{ kind: "text", text: said }]), []);
  const again = useCallback((turn: Turn) => current.current.again(turn), []);
  return (
    <section className="session" aria-label={`Session ${id.slice(0, 8)}`}>
      <header className="session-head">
        <TargetPick app={app} value={settings.target} onChange={deeds.onTarget} />
        <code className="session-id truncate" title={session.name}>
          {id}
        </code>
        <IconButton
          small
          label={isAdjusted(settings) ? "Settings of the session (adjusted)" : "Settings of the session"}
          tone={isAdjusted(settings) ? "neutral" : "plain"}
          onPress={deeds.onSettings}
        >
          <Settings2 size={16} aria-hidden="true" />
        </IconButton>
        <IconButton small label="Start over" onPress={deeds.onRestart}>
          <RotateCcw size={16} aria-hidden="true" />
        </IconButton>
        {!only && (
          <IconButton small label="Close this session" onPress={deeds.onClose}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        )}
      </header>
      <TurnList turns={turns} chosen={chosen} onChoose={onChoose} onSay={say} onAgain={again} onTakeBack={setText}>
        {session.reading && <Busy>Reading the conversation</Busy>}
        {session.refusal && <Banner tone="bad" refusal={session.refusal} />}
        {!session.reading && turns.length === 0 && !session.refusal && (
          <p className="muted turns-empty">Say something below, and the conversation begins.</p>
        )}
        {calls.length > 0 && (
          <Suspense fallback={<Busy>The agent waits for a result</Busy>}>
            <AnswerCalls
              key={calls.map((call) => call.id).join()}
              app={app}
              calls={calls}
              onAnswer={(results) => session.send([{ kind: "results", results }])}
            />
          </Suspense>
        )}
        {ended && <EndedNote reason={turns.findLast((turn) => turn.ended)?.ended ?? {}} onRestart={deeds.onRestart} />}
      </TurnList>
      <MessageBox
        text={text}
        onText={setText}
        running={running || session.reading}
        held={held}
        ended={ended}
        placeholder={placeholderOf(ended, held)}
        onSend={(input) => onSend(session, input)}
        onStop={session.stop}
      >
        {(attach) => (
          <>
            <Extras
              app={app}
              disabled={running || ended || session.reading}
              variables={variables}
              onAttach={attach}
              onSend={session.send}
            />
            <VoiceButton session={session} />
          </>
        )}
      </MessageBox>
    </section>
  );
}

function placeholderOf(ended: boolean, held: boolean): string {
  if (ended) return "The session has ended.";
  return held ? "Another session still answers" : "Write to the agent";
}
