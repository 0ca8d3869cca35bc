import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";

interface ComposerProps {
  readonly disabled: boolean;
  readonly placeholder: string;
  readonly onSend: (text: string) => void;
}

/** One line to type in; Enter sends. Takes the focus back when the agent has answered. */
export function Composer({ disabled, placeholder, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!disabled) field.current?.focus();
  }, [disabled]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    if (!said || disabled) return;
    setText("");
    onSend(said);
  };
  return (
    <form className="composer" onSubmit={submit}>
      <input
        ref={field}
        aria-label="Message"
        value={text}
        placeholder={placeholder}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" tone="primary" isDisabled={disabled || text.trim() === ""}>
        Send
      </Button>
    </form>
  );
}
