import { create } from "@bufbuild/protobuf";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { type ModelQuery, ModelQuerySchema } from "@frontdesk/protos/gda/model_query";
import { Pencil, Play } from "lucide-react";
import { useState } from "react";
import { toStatusError } from "../../../api/status-error.ts";
import { Banner } from "../../../components/banner.tsx";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Loading } from "../../../components/loading.tsx";
import { resultSetOf } from "../answer.ts";
import { ResultViews } from "../result-views.tsx";
import { KeepStatement } from "../verify-answer.tsx";
import { QueryParts } from "./query-parts.tsx";
import "../../../styles/model-query.css";

interface EditQueryProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  /** What the query answers. */
  readonly question: string;
  readonly query: ModelQuery;
  /** The query in words. */
  readonly words: string;
}

/** The query of the semantic model that a question became: in words, and in parts that can be changed and run again. */
export function EditQuery({ agent, question, query, words }: EditQueryProps) {
  const [draft, setDraft] = useState<ModelQuery>();
  if (!draft)
    return (
      <div className="stack tight">
        <p className="query-words">{words}</p>
        <div>
          <Button small tone="plain" onPress={() => setDraft(query)}>
            <Pencil size={15} aria-hidden="true" /> Edit and run
          </Button>
        </div>
      </div>
    );
  return (
    <QueryForm
      agent={agent}
      question={question}
      draft={draft}
      onChange={setDraft}
      onCancel={() => setDraft(undefined)}
    />
  );
}

interface QueryFormProps extends Pick<EditQueryProps, "agent" | "question"> {
  readonly draft: ModelQuery;
  readonly onChange: (draft: ModelQuery) => void;
  readonly onCancel: () => void;
}

function QueryForm({ agent, question, draft, onChange, onCancel }: QueryFormProps) {
  const vocabulary = useQuery(DataChatService.method.retrieveModelVocabulary, { name: agent });
  const run = useMutation(DataChatService.method.runStatement);
  const { data } = vocabulary;
  const isShown = run.data !== undefined && run.variables?.modelQuery === draft;
  return (
    <div className="stack tight">
      {vocabulary.error && <Banner tone="error" error={toStatusError(vocabulary.error)} />}
      {vocabulary.isPending && <Loading>Reading the semantic model…</Loading>}
      {data && <QueryParts query={draft} vocabulary={data} onChange={(part) => onChange(changed(draft, part))} />}
      <div className="row wrap">
        <Button
          small
          tone="primary"
          isDisabled={run.isPending || draft.metrics.length === 0}
          onPress={() => run.mutate({ name: agent, modelQuery: draft })}
        >
          <Play size={15} aria-hidden="true" /> {run.isPending ? "Running…" : "Run"}
        </Button>
        <Button small tone="plain" onPress={onCancel}>
          Cancel
        </Button>
      </div>
      {run.error && <Banner tone="error" error={toStatusError(run.error)} />}
      {isShown && run.data?.result && (
        <section className="stack tight" aria-label="Result of the query">
          <p className="query-words">{run.data.words}</p>
          <KeepStatement agent={agent} question={question} statement={{ modelQuery: draft }} />
          <ResultViews
            question={run.data.words}
            rows={resultSetOf(run.data.result)}
            chart={run.data.vegaConfig}
            partial={run.data.partialResult}
          />
          <details className="thought">
            <summary>SQL</summary>
            <CodeBlock text={run.data.sqlQuery} label="SQL" wrapped />
          </details>
        </section>
      )}
    </div>
  );
}

function changed(query: ModelQuery, part: Partial<ModelQuery>): ModelQuery {
  const { metrics, groupBy, where, filters, having, orderBy, limit } = { ...query, ...part };
  return create(ModelQuerySchema, {
    ...{ metrics, groupBy, where, filters, having, orderBy },
    ...(limit !== undefined && { limit }),
  });
}
