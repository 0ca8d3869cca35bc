import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import { postRest } from "../../api/rest.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh } from "../../api/use-resources.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { LateMarkdown } from "../../components/late-markdown.tsx";
import { Loading } from "../../components/loading.tsx";
import { type Entry, type Proposal, versionToRestore } from "./entries.ts";
import { PatchView } from "./patch-view.tsx";

interface EntryViewProps {
  readonly entry: Entry;
  /** What is being done, while more of it is on its way. */
  readonly progress: string | undefined;
  /** Whether the assistant is busy: one turn runs at a time. */
  readonly busy: boolean;
  readonly onSay: (text: string) => void;
  readonly onConfirm: (confirmationId: string, confirmed: boolean) => void;
}

/** A message: words, the change that is proposed, questions with answers to click. */
export function EntryView({ entry, progress, busy, onSay, onConfirm }: EntryViewProps) {
  if (entry.by === "user") return <p className="assistant-said">{entry.text}</p>;
  const { text, patch, questions, proposal } = entry;
  const version = versionToRestore(entry);
  return (
    <article className="assistant-answer" aria-label="Answer of the assistant" aria-busy={progress !== undefined}>
      <Words text={text} />
      {proposal && (
        <section className="card assistant-proposal" aria-label="Proposed change">
          <Words text={proposal.context} />
          {patch && <PatchView patch={patch} />}
          <Decision proposal={proposal} busy={busy} onConfirm={onConfirm} />
        </section>
      )}
      {questions.map(({ question, options }) => (
        <section key={question} className="stack tight" aria-label={question}>
          <p className="assistant-question">{question}</p>
          {options.map(({ title, details, submitText }) => (
            <Button key={title} small isDisabled={busy} onPress={() => onSay(submitText || title)}>
              <span>
                {title}
                {details && <span className="muted"> {details}</span>}
              </span>
            </Button>
          ))}
        </section>
      ))}
      {version && <Undo version={version} />}
      {progress !== undefined && <Loading>{progress || "Working…"}</Loading>}
    </article>
  );
}

function Words({ text }: { readonly text: string }) {
  if (!text) return null;
  return (
    <div className="answer-text" dir="auto">
      <LateMarkdown text={text} />
    </div>
  );
}

const OUTCOMES = { applied: "Applied", declined: "Not applied", past: "No longer open" } as const;

function Decision({
  proposal,
  busy,
  onConfirm,
}: { readonly proposal: Proposal } & Pick<EntryViewProps, "busy" | "onConfirm">) {
  const { confirmationId, positiveLabel, negativeLabel, state } = proposal;
  if (state !== "open") return <p className="muted">{OUTCOMES[state]}</p>;
  return (
    <div className="row wrap">
      <Button small tone="primary" isDisabled={busy} onPress={() => onConfirm(confirmationId, true)}>
        <Check size={14} aria-hidden="true" /> {positiveLabel}
      </Button>
      <Button small isDisabled={busy} onPress={() => onConfirm(confirmationId, false)}>
        {negativeLabel}
      </Button>
    </div>
  );
}

/** Goes back to the version that was made before a change. */
function Undo({ version }: { readonly version: string }) {
  const [state, setState] = useState<"ready" | "running" | "done">("ready");
  const [error, setError] = useState<StatusError>();
  const refresh = useRefresh();
  const undo = async () => {
    setState("running");
    setError(undefined);
    try {
      await postRest(`${version}:restore`, {});
      await refresh();
      setState("done");
    } catch (cause) {
      setError(toStatusError(cause));
      setState("ready");
    }
  };
  return (
    <div className="stack tight">
      {state === "done" ? (
        <p className="muted" role="status">
          Undone
        </p>
      ) : (
        <div>
          <Button small isDisabled={state === "running"} onPress={() => void undo()}>
            <Undo2 size={14} aria-hidden="true" /> Undo
          </Button>
        </div>
      )}
      {error && <Banner tone="error" error={error} />}
    </div>
  );
}
