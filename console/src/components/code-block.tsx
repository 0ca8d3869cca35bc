import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** Long lines go on below instead of scrolling. */
  readonly wrapped?: boolean;
  /** What is copied, for the button's name. */
  readonly label?: string;
}

/** Text as it is, with a button that copies it. */
export function CodeBlock({ text, wrapped = false, label = "text" }: CodeBlockProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div className={wrapped ? "code-block wrapped" : "code-block"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <IconButton small label={copied ? "Copied" : `Copy ${label}`} onPress={() => void copy()}>
        {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      </IconButton>
    </div>
  );
}
