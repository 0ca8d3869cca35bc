import { useMemo } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { type Subject, snippetsFor } from "./snippets.ts";

/** Snippets for what is on screen, one language at a time. */
export function SnippetTabs({ subject }: { readonly subject: Subject }) {
  const snippets = useMemo(() => snippetsFor(subject), [subject]);
  return (
    <Tabs
      label="Languages"
      items={snippets.map(({ id, label, note, text }) => ({
        id,
        label,
        content: (
          <div className="stack tight">
            <p className="muted snippet-note">{note}</p>
            <CodeBlock text={text} label={`the ${label} snippet`} />
          </div>
        ),
      }))}
    />
  );
}
