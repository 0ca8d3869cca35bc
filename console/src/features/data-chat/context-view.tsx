import { useQuery } from "@connectrpc/connect-query";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { pagePath } from "../../api/resource-names.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { agentContext, type Term } from "./agent-context.ts";
import { suggestedQuestions } from "./suggested-questions.ts";

interface ContextViewProps {
  readonly agent: DataAgent;
  readonly onAsk: (question: string) => void;
}

/** The context of a data agent, shown before the first question: suggested questions, tables, measures and glossary terms. */
export function ContextView({ agent, onAsk }: ContextViewProps) {
  const { tables, measures, glossary, questions, instruction, file } = useMemo(() => agentContext(agent), [agent]);
  return (
    <div className="agent-context">
      <Suggestions questions={questions} file={file} onAsk={onAsk} />
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

interface SuggestionsProps {
  readonly questions: readonly string[];
  readonly file: ReturnType<typeof agentContext>["file"];
  readonly onAsk: (question: string) => void;
}

/** Verified questions, and those that the columns of an uploaded file suggest. */
function Suggestions({ questions, file, onAsk }: SuggestionsProps) {
  const { data } = useQuery(
    DataAgentService.method.getDataFile,
    { name: file?.name ?? "" },
    { enabled: file !== undefined, retry: false },
  );
  const columns = data?.tables.find(({ tableId }) => tableId === file?.table)?.columns ?? [];
  const suggested = columns.length > 0 ? suggestedQuestions(columns) : [];
  const shown = [...new Set([...questions, ...suggested])].slice(0, 8);
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>Suggested questions</h2>
      <div className="row wrap">
        {shown.map((question) => (
          <Button key={question} small onPress={() => onAsk(question)}>
            {question}
          </Button>
        ))}
      </div>
      {data && (
        <p className="muted">
          From <Link to={pagePath(data.name)}>{data.displayName}</Link>
        </p>
      )}
    </section>
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
