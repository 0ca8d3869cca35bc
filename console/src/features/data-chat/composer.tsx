import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { takeFreeFocus } from "../../components/free-focus.ts";

interface ComposerProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether nothing can be sent at the moment. What is typed stays, and more can be typed. */
  readonly waiting: boolean;
  /** Whether the data agent or its conversation is not there yet. A question that is sent meanwhile is kept until they are. */
  readonly loading: boolean;
  readonly placeholder: string;
  readonly onSend: (text: string) => void;
}

/** One line to type in; Enter sends. Takes the focus back when the answer is there. */
export function Composer({ text, onText, waiting, loading, placeholder, onSend }: ComposerProps) {
  const field = useRef<HTMLInputElement>(null);
  const [kept, keep] = useState(false);
  useEffect(() => {
    if (!waiting) takeFreeFocus(field.current);
  }, [waiting]);
  const send = () => {
    const question = text.trim();
    if (!question || waiting) return;
    keep(loading);
    if (loading) return;
    onText("");
    onSend(question);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was kept is sent once, by the end of loading
  useEffect(() => {
    if (kept && !loading) send();
  }, [loading, waiting]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    field.current?.focus();
    send();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <input
        ref={field}
        aria-label="Message"
        dir="auto"
        value={text}
        placeholder={placeholder}
        onChange={(event) => {
          keep(false);
          onText(event.target.value);
        }}
      />
      <Button type="submit" tone="primary" isDisabled={waiting || kept || text.trim() === ""}>
        Send
      </Button>
      <p role="status" className="kept-question">
        {kept ? "Your question is asked as soon as the data agent is loaded." : ""}
      </p>
    </form>
  );
}
