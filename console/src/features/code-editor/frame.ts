import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** What every editor has: history, keys, line numbers, the page's colours. */
export function frame(label: string, describedBy: string): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    indentUnit.of("    "),
    EditorView.lineWrapping,
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-describedby": describedBy }),
    syntaxHighlighting(COLOURS),
    LOOKS,
  ];
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--llm)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--tool)" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)", fontStyle: "italic" },
  {
    tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName))],
    color: "var(--callback)",
  },
  { tag: [tags.className, tags.typeName, tags.propertyName], color: "var(--transfer)" },
  { tag: tags.invalid, color: "var(--failed)" },
]);

/** What the editor's own looks would win over in a style sheet. */
const LOOKS = EditorView.theme({
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "light-dark(#cfe4dc, #2b5246)",
  },
  "&.cm-focused .cm-matchingBracket": { background: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    background: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
  },
  ".cm-panels": { background: "var(--raised)", color: "var(--ink)" },
});
