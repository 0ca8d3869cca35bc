import { useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { toStatusError } from "../../../api/status-error.ts";
import { Banner } from "../../../components/banner.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Loading } from "../../../components/loading.tsx";
import { resultSetOf } from "../answer.ts";
import { ResultViews } from "../result-views.tsx";
import { SharedFigures } from "./shared-figures.tsx";
import "../../../styles/data-chat.css";
import "../../../styles/shared-answer.css";

interface SharedAnswerPageProps {
  /** Resource name of the shared answer. */
  readonly name: string;
  /** "" where who opens it is known. */
  readonly token: string;
}

/** An answer behind a link: the question, its query in words, the answer in one look, then chart, table and SQL. Nothing else of the console is shown. */
export function SharedAnswerPage({ name, token }: SharedAnswerPageProps) {
  const { data, error } = useQuery(
    DataAgentService.method.openSharedAnswer,
    { name, token },
    { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  );
  return (
    <article className="shared-answer stack" aria-label="Shared answer">
      {error && <Banner tone="error" error={toStatusError(error)} />}
      {!data && !error && <Loading>Opening the answer…</Loading>}
      {data && (
        <>
          <header>
            <h1>{data.question}</h1>
            {data.words && <p className="shared-words">{data.words}</p>}
          </header>
          {data.result && (
            <>
              <SharedFigures rows={resultSetOf(data.result)} />
              <ResultViews
                question={data.question}
                rows={resultSetOf(data.result)}
                chart={data.vegaConfig}
                partial={data.partialResult}
                sql={data.sqlQuery}
              />
            </>
          )}
          <p className="muted">
            As of <DateTime time={data.readTime} />
            {data.expireTime && (
              <>
                . The link ends <DateTime time={data.expireTime} />
              </>
            )}
          </p>
        </>
      )}
    </article>
  );
}
