import { type FormEvent, useEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";
import { takeFreeFocus } from "../../components/free-focus.ts";

interface ComposerProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether nothing can be sent at the moment. What is typed stays, and more can be typed. */
  readonly waiting: boolean;
  readonly placeholder: string;
  readonly onSend: (text: string) => void;
}

/** One line to type in; Enter sends. Takes the focus back when the answer is there. */
export function Composer({ text, onText, waiting, placeholder, onSend }: ComposerProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!waiting) takeFreeFocus(field.current);
  }, [waiting]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const question = text.trim();
    if (!question || waiting) return;
    onText("");
    field.current?.focus();
    onSend(question);
  };
  return (
    <form className="composer" onSubmit={submit}>
      <input
        ref={field}
        aria-label="Message"
        dir="auto"
        value={text}
        placeholder={placeholder}
        onChange={(event) => onText(event.target.value)}
      />
      <Button type="submit" tone="primary" isDisabled={waiting || text.trim() === ""}>
        Send
      </Button>
    </form>
  );
}
