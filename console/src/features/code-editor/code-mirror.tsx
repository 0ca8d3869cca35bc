import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { CodeLanguage, CodeProblem, Names } from "./code-language.ts";
import { frame } from "./frame.ts";
import { languageSupport } from "./language-support.ts";

interface CodeMirrorProps {
  readonly label: string;
  readonly describedBy: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly CodeProblem[];
  readonly names?: Names;
  readonly readOnly?: boolean;
  readonly line?: number | undefined;
}

/** CodeMirror in React: the text goes in when it is not the one that came out. */
function CodeMirror(props: CodeMirrorProps) {
  const { label, describedBy, language, value, problems, readOnly = false, names, line = 0 } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const lastText = useRef(value);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!place.current) return;
    const extensions = [
      frame(label, describedBy),
      languageSupport(language, () => latest.current.names),
      READ_ONLY.of(readOnly ? SHOWN : []),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        lastText.current = update.state.doc.toString();
        if (!update.transactions.some((transaction) => transaction.isUserEvent("outside")))
          latest.current.onChange(lastText.current);
      }),
    ];
    view.current = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: lastText.current, extensions }),
    });
    return () => view.current?.destroy();
  }, [label, describedBy, language, readOnly]);

  useEffect(() => {
    if (!view.current || value === lastText.current) return;
    const changes = { from: 0, to: view.current.state.doc.length, insert: value };
    view.current.dispatch({ changes, userEvent: "outside" });
  }, [value]);

  useEffect(() => {
    if (view.current && line > 0) goToLine(view.current, line);
  }, [line]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: names come into the checks of the text
  useEffect(() => {
    if (view.current) showProblems(view.current, problems);
  }, [problems, names]);

  return <div ref={place} className="code-frame" />;
}

const READ_ONLY = new Compartment();
/** A text that is only read: it takes the focus, so that it is scrolled and copied by keyboard. */
const SHOWN = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" }),
];

/** Moves the cursor to a line and scrolls to it; to the last line when the text has become shorter. */
function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default CodeMirror;

/** Underlines what is wrong, each problem at its line and column. */
function showProblems(view: EditorView, problems: readonly CodeProblem[]): void {
  const { doc } = view.state;
  view.dispatch(
    setDiagnostics(
      view.state,
      problems.filter(({ line }) => line > 0).map((problem) => diagnosticOf(doc, problem)),
    ),
  );
}

/** Marks the word of a problem, or at least one character; a line that no longer exists is the last one. */
function diagnosticOf(doc: Text, { line, column, text, severity }: CodeProblem): Diagnostic {
  const place = doc.line(Math.min(Math.max(1, line), doc.lines));
  // A position after the last character is moved to it: an empty range is invisible.
  const from = Math.max(place.from, Math.min(place.from + Math.max(0, column - 1), place.to - 1));
  const word = /^[\w.]+/.exec(place.text.slice(from - place.from))?.[0].length ?? 1;
  return { from, to: Math.min(Math.max(from + word, from + 1), Math.max(place.to, from)), severity, message: text };
}
