import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CodeProblem } from "./code-language.ts";

/** Underlines what is wrong, each problem at its line and column. */
export function showProblems(view: EditorView, problems: readonly CodeProblem[]): void {
  const { doc } = view.state;
  view.dispatch(
    setDiagnostics(
      view.state,
      problems.filter(({ line }) => line > 0).map((problem) => diagnosticOf(doc, problem)),
    ),
  );
}

/** A problem covers its word, or at least one sign; a line that is gone meanwhile is the last one. */
function diagnosticOf(doc: Text, { line, column, text, severity }: CodeProblem): Diagnostic {
  const place = doc.line(Math.min(Math.max(1, line), doc.lines));
  // A place behind the line's last sign is told by that sign: a range of nothing is hard to see.
  const from = Math.max(place.from, Math.min(place.from + Math.max(0, column - 1), place.to - 1));
  const word = /^[\w.]+/.exec(place.text.slice(from - place.from))?.[0].length ?? 1;
  return { from, to: Math.min(Math.max(from + word, from + 1), Math.max(place.to, from)), severity, message: text };
}
