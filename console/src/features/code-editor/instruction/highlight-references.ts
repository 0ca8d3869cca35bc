import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const REFERENCES = new MatchDecorator({
  regexp: /\{@(?:AGENT|TOOL|Widget):[^{}\n]*\}|\{\{?\s*[A-Za-z_][\w.]*\s*\}?\}|<\/?[a-z_]+(?:\s[^<>\n]*)?>/g,
  decoration: ([text]) =>
    Decoration.mark({
      class: text.startsWith("<") ? "cm-block-tag" : text.startsWith("{@") ? "cm-reference" : "cm-variable",
    }),
});

/** Colours references, variables and block tags of an instruction; only the visible part is parsed. */
export const highlightReferences = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = REFERENCES.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = REFERENCES.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
