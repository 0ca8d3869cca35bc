import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { useMemo } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { agentContext, type Term } from "./agent-context.ts";

interface ContextViewProps {
  readonly agent: DataAgent;
  readonly onAsk: (question: string) => void;
}

/** The context of a data agent, shown before the first question: suggested questions, tables, measures and glossary terms. */
export function ContextView({ agent, onAsk }: ContextViewProps) {
  const { tables, measures, glossary, questions, instruction } = useMemo(() => agentContext(agent), [agent]);
  return (
    <div className="agent-context">
      {questions.length > 0 && (
        <section>
          <h2>Suggested questions</h2>
          <div className="row wrap">
            {questions.slice(0, 8).map((question) => (
              <Button key={question} small onPress={() => onAsk(question)}>
                {question}
              </Button>
            ))}
          </div>
        </section>
      )}
      {tables.length > 0 && (
        <section>
          <h2>Tables</h2>
          <div className="row wrap">
            {tables.map((table) => (
              <Badge key={table}>
                <code>{table}</code>
              </Badge>
            ))}
          </div>
        </section>
      )}
      <Terms title="Measures" terms={measures} />
      <Terms title="Glossary" terms={glossary} />
      {instruction && (
        <details className="thought">
          <summary>System instruction</summary>
          <CodeBlock text={instruction} label="system instruction" wrapped />
        </details>
      )}
    </div>
  );
}

function Terms({ title, terms }: { readonly title: string; readonly terms: readonly Term[] }) {
  if (terms.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {terms.map(({ name, meaning }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
