import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const DIRECTED = Decoration.line({ attributes: { dir: "auto" } });

/** Each line has the direction of its first letter: instructions in Arabic or Hebrew, with names in Latin letters in between. */
export const lineDirection: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = visibleLines(view);
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = visibleLines(update.view);
      }
    },
    { decorations: ({ decorations }) => decorations },
  ),
];

function visibleLines({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  let last = -1;
  for (const range of visibleRanges) {
    for (let position = range.from; position <= range.to; ) {
      const line = state.doc.lineAt(position);
      if (line.from > last) lines.add(line.from, line.from, DIRECTED);
      last = line.from;
      position = line.to + 1;
    }
  }
  return lines.finish();
}
