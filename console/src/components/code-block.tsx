import { Check, Copy, X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";

interface CodeBlockProps {
  readonly text: string;
  /** Long lines go on below instead of scrolling. */
  readonly wrapped?: boolean;
  /** What is copied, for the button's name. */
  readonly label?: string;
}

/** Text as it is, with a button that copies it. */
export function CodeBlock({ text, wrapped = false, label = "text" }: CodeBlockProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copied = outcome === "copied";
  const copy = async () => {
    setOutcome((await copyText(text)) ? "copied" : "refused");
    setTimeout(() => setOutcome(undefined), 1_500);
  };
  return (
    <div className={wrapped ? "code-block wrapped" : "code-block"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <IconButton small label={outcome ? OUTCOMES[outcome] : `Copy ${label}`} onPress={() => void copy()}>
        {copied ? (
          <Check size={16} aria-hidden="true" />
        ) : outcome === "refused" ? (
          <X size={16} aria-hidden="true" />
        ) : (
          <Copy size={16} aria-hidden="true" />
        )}
      </IconButton>
    </div>
  );
}

const OUTCOMES = { copied: "Copied", refused: "Not copied: select the text and copy it" } as const;
