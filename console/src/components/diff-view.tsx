import { useMemo } from "react";
import { type DiffLine, diffLines } from "./diff-lines.ts";
import "../styles/components/diff.css";

const SIGNS = { same: " ", added: "+", removed: "−", gap: "⋯" } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: ", gap: "" } as const;

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** Accessible name of the comparison. */
  readonly label: string;
}

/** Two texts as one: lines that went and lines that came, with a little around them. */
export function DiffView({ before, after, label }: DiffViewProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  if (lines.length === 0) return <p className="muted">No differences.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="diff" aria-label={label} tabIndex={0}>
      <div className="diff-lines">
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </div>
    </section>
  );
}

function Line({ line: { kind, text, left, right } }: { readonly line: DiffLine }) {
  return (
    <div className={`diff-line ${kind}`}>
      <span className="diff-number" aria-hidden="true">
        {left}
      </span>
      <span className="diff-number" aria-hidden="true">
        {right}
      </span>
      <span className="diff-sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span className="diff-text">
        {WORDS[kind] && <span className="visually-hidden">{WORDS[kind]}</span>}
        {text || " "}
      </span>
    </div>
  );
}
