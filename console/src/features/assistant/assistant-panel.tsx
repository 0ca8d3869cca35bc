import type { AssistantSuggestion } from "@frontdesk/protos/ces/assistant_session";
import { ArrowUp, MessageSquarePlus, Square, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Banner } from "../../components/banner.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { EntryView } from "./entry-view.tsx";
import { useAssistant } from "./use-assistant.ts";
import "../../styles/simulator/message-box.css";
import "../../styles/assistant.css";

interface AssistantPanelProps {
  /** Resource name of the app that it helps to build. */
  readonly app: string;
  readonly onClose: () => void;
}

/** The assistant beside the page: one says what the app should do, sees each change as a diff, and applies it or not. */
function AssistantPanel({ app, onClose }: AssistantPanelProps) {
  const chat = useAssistant(app);
  const { entries, running, progress, failure } = chat;
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said last is in view
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [entries, running]);
  const begin = (suggestion: AssistantSuggestion) => {
    const { action } = suggestion;
    if (action.case === "sendMessage") return chat.say(action.value);
    if (action.case === "loadSession") return chat.open(action.value.assistantSessionId);
    setText(action.case === "seedPrompt" ? action.value : suggestion.label);
    field.current?.focus();
  };
  return (
    <aside className="assistant" aria-label="Assistant">
      <header className="assistant-head">
        <h2>Assistant</h2>
        <IconButton label="New conversation" onPress={() => chat.open("")} isDisabled={entries.length === 0}>
          <MessageSquarePlus size={18} aria-hidden="true" />
        </IconButton>
        <IconButton label="Close assistant" onPress={onClose}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </header>
      <section
        className="assistant-entries"
        aria-label="Conversation with the assistant"
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
      >
        {entries.length === 0 && <Start suggestions={chat.suggestions} onChoose={begin} />}
        {entries.map((entry, at) => (
          <EntryView
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
            key={at}
            entry={entry}
            progress={running && at === entries.length - 1 ? progress : undefined}
            busy={running}
            onSay={chat.say}
            onConfirm={chat.confirm}
          />
        ))}
        {failure && (
          <div className="stack tight">
            <Banner tone="error" error={failure} />
            <div>
              <Button small onPress={chat.retry}>
                Retry
              </Button>
            </div>
          </div>
        )}
        <div ref={end} />
      </section>
      <Composer field={field} text={text} onText={setText} running={running} onSay={chat.say} onStop={chat.stop} />
    </aside>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default AssistantPanel;

function Start({
  suggestions,
  onChoose,
}: {
  readonly suggestions: readonly AssistantSuggestion[];
  readonly onChoose: (suggestion: AssistantSuggestion) => void;
}) {
  return (
    <div className="stack">
      <p className="muted">
        Say what the app should do. Each change is shown first, and stored only when you apply it.
      </p>
      {suggestions.map((suggestion) => (
        <button
          key={suggestion.suggestionId}
          type="button"
          className="assistant-suggestion"
          onClick={() => onChoose(suggestion)}
        >
          <strong>{suggestion.label}</strong>
          <span className="muted">{suggestion.rationale}</span>
        </button>
      ))}
    </div>
  );
}

interface ComposerProps {
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly running: boolean;
  readonly onSay: (text: string) => void;
  readonly onStop: () => void;
}

/** Enter sends, Shift+Enter begins a line. */
function Composer({ field, text, onText, running, onSay, onStop }: ComposerProps) {
  const ready = !running && text.trim() !== "";
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!ready) return;
    onText("");
    onSay(text.trim());
  };
  return (
    <form className="message-box" onSubmit={send}>
      <textarea
        ref={field}
        aria-label="Message to the assistant"
        dir="auto"
        rows={2}
        value={text}
        placeholder="What should the app do?"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      <div className="tools">
        <span className="end" />
        {running ? (
          <IconButton label="Stop the assistant" onPress={onStop}>
            <Square size={16} aria-hidden="true" />
          </IconButton>
        ) : (
          <IconButton label="Send to the assistant" tone="primary" type="submit" isDisabled={!ready}>
            <ArrowUp size={18} aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </form>
  );
}
