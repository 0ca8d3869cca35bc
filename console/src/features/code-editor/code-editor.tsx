import { lazy, Suspense, useId } from "react";
import { Loading } from "../../components/loading.tsx";
import { useReadOnly } from "../../components/read-only.tsx";
import type { CodeLanguage, CodeProblem, Names } from "./code-language.ts";
import "../../styles/code-editor.css";

const CodeMirror = lazy(() => import("./code-mirror.tsx"));

interface CodeEditorProps {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is wrong with the text, at its place. */
  readonly problems?: readonly CodeProblem[];
  /** What an instruction may name. */
  readonly names?: Names;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** Default: as the form around it. */
  readonly readOnly?: boolean;
  readonly hideLabel?: boolean;
  /** Short texts get a lower frame. */
  readonly low?: boolean;
  /** The line at which the editor opens, from 1. */
  readonly line?: number | undefined;
}

/** A labelled editor for code and other long texts. It loads when the first one is shown. */
export function CodeEditor({
  label,
  hint,
  error,
  hideLabel = false,
  low = false,
  problems = [],
  readOnly,
  ...rest
}: CodeEditorProps) {
  const id = useId();
  const isInReadOnly = useReadOnly();
  const isReadOnly = readOnly ?? isInReadOnly;
  return (
    <div className={low ? "code-editor low" : "code-editor"}>
      <span className={hideLabel ? "visually-hidden" : "label"}>{label}</span>
      <Suspense fallback={<Loading>Loading editor…</Loading>}>
        <CodeMirror label={label} describedBy={id} problems={problems} readOnly={isReadOnly} {...rest} />
      </Suspense>
      <p className="hint" id={id}>
        {!isReadOnly && (
          <>
            {hint} <span className="leave-hint">Press Escape, then Tab to leave the editor.</span>
          </>
        )}
      </p>
      {error && (
        <p className="invalid" role="alert">
          {error}
        </p>
      )}
      {problems.length > 0 && (
        <ul className="code-problems" aria-label={`Problems in ${label}`}>
          {problems.slice(0, 20).map(({ line, column, text }) => (
            <li key={`${line}.${column}.${text}`}>
              {line > 0 && <b>Line {line}</b>} {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
