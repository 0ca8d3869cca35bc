import type { JsonObject } from "@bufbuild/protobuf";
import { FlaskConical, RotateCcw, Settings2, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from "react";
import { useKnownMay, useMay } from "../../api/permissions.ts";
import { Banner } from "../../components/banner.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { type SaveAsEvaluationAction, useSaveAsEvaluation } from "../evaluations/use-save-as-evaluation.ts";
import { stateAt } from "../traces/session-state.ts";
import { VoiceButton } from "../voice/voice-button.tsx";
import { automaticResults, pendingCalls } from "./client-functions/client-function-results.ts";
import { InputButtons } from "./inputs/input-buttons.tsx";
import { MessageBox } from "./message-box/message-box.tsx";
import { useMessageDraft } from "./message-box/message-draft.ts";
import { isAdjusted } from "./session-settings.ts";
import { TargetSelect } from "./target-select.tsx";
import type { Turn } from "./turn.ts";
import type { TurnInput } from "./turn-input.ts";
import { TurnList } from "./turn-list.tsx";
import { type Session, useSession } from "./use-session.ts";

const ClientFunctionForm = lazy(() =>
  import("./client-functions/client-function-form.tsx").then((view) => ({ default: view.ClientFunctionForm })),
);

interface SessionPaneProps {
  readonly app: string;
  readonly id: string;
  /** Turn whose trace is shown, when it is this session's. */
  readonly chosen: number | undefined;
  /** Whether it is the only one: then it cannot be closed. */
  readonly only: boolean;
  /** Whether a person created it on this page just now: then one types in it next. */
  readonly created: boolean;
  /** Whether messages go to every session and one of them is still answering. */
  readonly blocked: boolean;
  /** Called whenever the session changes. */
  readonly onChange: (id: string, session: Session) => void;
  readonly onChoose: (turn: Turn) => void;
  /** Replaces the session by one that runs `target`. */
  readonly onTarget: (target: string) => void;
  readonly onSettings: () => void;
  readonly onRestart: () => void;
  readonly onClose: () => void;
  /** Sends in this session, or in all of them. */
  readonly onSend: (session: Session, input: TurnInput) => void;
}

/** One session: what it runs, its conversation, where one writes. */
export function SessionPane({
  app,
  id,
  chosen,
  only,
  created,
  blocked,
  onChange,
  onChoose,
  onSend,
  ...actions
}: SessionPaneProps) {
  const session = useSession(app, id);
  const { turns, running, ended } = session;
  const may = useKnownMay(app);
  const mayNotTalk = may?.("ces.sessions.runSession") === false;
  const [text, setText] = useMessageDraft(id);
  const current = useRef(session);
  current.current = session;
  const evaluation = useSaveAsEvaluation(`${app}/conversations/${id}`);
  const calls = usePendingCalls(app, session);
  const variables = useMemo(() => stateAt(turns, turns.length - 1).after, [turns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters of a session is in its turns
  useEffect(() => onChange(id, session), [turns, session.reading]);
  const sendText = useCallback((text: string) => current.current.send([{ kind: "text", text }]), []);
  const retry = useCallback((turn: Turn) => current.current.retry(turn), []);
  return (
    <section className="session" aria-label={`Session ${id.slice(0, 8)}`}>
      <SessionHeader app={app} session={session} id={id} only={only} evaluation={evaluation} {...actions} />
      <TurnList
        turns={turns}
        chosen={chosen}
        onChoose={onChoose}
        onSendText={sendText}
        onRetry={retry}
        onEditText={setText}
      >
        {mayNotTalk && (
          <Banner tone="info">You may look at this app, and not talk to it: it needs ces.sessions.runSession.</Banner>
        )}
        {session.reading && <Loading>Loading conversation…</Loading>}
        {session.error && <Banner tone="error" error={session.error} />}
        {evaluation.error && <Banner tone="error" error={evaluation.error} />}
        {!session.reading && !mayNotTalk && turns.length === 0 && !session.error && (
          <Unstarted opening={session.settings.opening} onStart={session.start} />
        )}
        {calls.length > 0 && <PendingCalls app={app} calls={calls} send={session.send} />}
        {ended && (
          <SessionEnded reason={turns.findLast((turn) => turn.ended)?.ended ?? {}} onRestart={actions.onRestart} />
        )}
      </TurnList>
      <MessageBox
        text={text}
        onText={setText}
        running={running || session.reading}
        blocked={blocked || mayNotTalk}
        ended={ended}
        autoFocus={created}
        placeholder={mayNotTalk ? "You may not talk to this app" : placeholderOf(ended, blocked)}
        onSend={(input) => onSend(session, input)}
        onStop={session.stop}
      >
        {(attach) => (
          <>
            <InputButtons
              app={app}
              disabled={running || ended || session.reading || mayNotTalk}
              variables={variables}
              onAttach={attach}
              onSend={session.send}
            />
            {!mayNotTalk && <VoiceButton session={session} />}
          </>
        )}
      </MessageBox>
    </section>
  );
}

interface PendingCallsProps extends Pick<Session, "send"> {
  readonly app: string;
  readonly calls: ReturnType<typeof pendingCalls>;
}

/** Asks for the results of client functions that the agent called. */
function PendingCalls({ app, calls, send }: PendingCallsProps) {
  return (
    <Suspense fallback={<Loading>Loading…</Loading>}>
      <ClientFunctionForm
        key={calls.map((call) => call.id).join()}
        app={app}
        calls={calls}
        onAnswer={(results) => send([{ kind: "results", results }])}
      />
    </Suspense>
  );
}

interface UnstartedProps {
  /** The event that is sent first; "" = none. */
  readonly opening: string;
  readonly onStart: () => void;
}

/** A session in which nobody spoke yet; the server has nothing of it. */
function Unstarted({ opening, onStart }: UnstartedProps) {
  return (
    <div className="turns-empty">
      <p className="muted">Send a message to start the session.</p>
      {opening && (
        <>
          <p className="muted">
            The event <code>{opening}</code> opens it.
          </p>
          <Button onPress={onStart}>Start session</Button>
        </>
      )}
    </div>
  );
}

/** The client function calls that the last turn waits for. Those with an automatic result are answered at once. */
function usePendingCalls(app: string, { turns, send }: Session) {
  const calls = useMemo(() => pendingCalls(turns.at(-1)), [turns]);
  useEffect(() => {
    const results = automaticResults(app, calls);
    if (results) send([{ kind: "results", results }]);
  }, [app, calls, send]);
  return calls;
}

type SessionActions = Pick<SessionPaneProps, "onTarget" | "onSettings" | "onRestart" | "onClose">;

interface SessionHeaderProps extends SessionActions {
  readonly app: string;
  readonly session: Session;
  readonly id: string;
  readonly only: boolean;
  readonly evaluation: SaveAsEvaluationAction;
}

function SessionHeader({
  app,
  session,
  id,
  only,
  evaluation,
  onTarget,
  onSettings,
  onRestart,
  onClose,
}: SessionHeaderProps) {
  const { settings, turns, running } = session;
  const mayEvaluate = useMay(app)("ces.evaluations.create");
  const isStored = turns.some(({ status }) => status === "done") && !running;
  return (
    <header className="session-head">
      <TargetSelect app={app} value={settings.target} onChange={onTarget} />
      <code className="session-id truncate" title={session.name}>
        {id}
      </code>
      <IconButton
        small
        label={isAdjusted(settings) ? "Session settings (modified)" : "Session settings"}
        tone={isAdjusted(settings) ? "neutral" : "plain"}
        onPress={onSettings}
      >
        <Settings2 size={16} aria-hidden="true" />
      </IconButton>
      {isStored && mayEvaluate && (
        <IconButton
          small
          label="Save as evaluation"
          isDisabled={evaluation.saving}
          onPress={() => void evaluation.save()}
        >
          <FlaskConical size={16} aria-hidden="true" />
        </IconButton>
      )}
      <IconButton small label="Restart session" onPress={onRestart}>
        <RotateCcw size={16} aria-hidden="true" />
      </IconButton>
      {!only && (
        <IconButton small label="Close session" onPress={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}

function placeholderOf(ended: boolean, blocked: boolean): string {
  if (ended) return "Session ended";
  return blocked ? "Waiting for another session" : "Message the agent";
}

interface SessionEndedProps {
  readonly reason: JsonObject;
  readonly onRestart: () => void;
}

/** The session is over: why, and what to do next. */
function SessionEnded({ reason, onRestart }: SessionEndedProps) {
  const text = typeof reason.reason === "string" && reason.reason !== "" ? `: ${reason.reason}` : "";
  const escalated = reason.session_escalated === true ? "  The conversation was escalated to a human agent." : "";
  return (
    <div className="ended" role="status">
      <p>
        Session ended{text}.{escalated}
      </p>
      <Button small onPress={onRestart}>
        Restart session
      </Button>
    </div>
  );
}
