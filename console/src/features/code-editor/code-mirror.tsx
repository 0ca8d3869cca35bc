import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { CodeLanguage, CodeProblem, Names } from "./code-language.ts";
import { frame } from "./frame.ts";
import { languageSupport } from "./language-support.ts";
import { showProblems } from "./show-problems.ts";

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
  const told = useRef(value);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!place.current) return;
    const extensions = [
      frame(label, describedBy),
      languageSupport(language, () => latest.current.names),
      READ_ONLY.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        told.current = update.state.doc.toString();
        if (!update.transactions.some((transaction) => transaction.isUserEvent("outside")))
          latest.current.onChange(told.current);
      }),
    ];
    view.current = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: told.current, extensions }),
    });
    return () => view.current?.destroy();
  }, [label, describedBy, language, readOnly]);

  useEffect(() => {
    if (!view.current || value === told.current) return;
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

/** Puts the cursor on a line, which marks it, and the line into sight. A text that has become shorter ends earlier. */
function goToLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default CodeMirror;
