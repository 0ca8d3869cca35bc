import { useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { type StatusError, toStatusError } from "../../../api/status-error.ts";
import { Banner } from "../../../components/banner.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Heading } from "../../../components/heading.tsx";
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
    <main className="shared-answer stack">
      {error && <NotShown error={toStatusError(error)} />}
      {!data && !error && <Loading>Opening the answer…</Loading>}
      {data && (
        <>
          <header>
            <Heading>{data.question}</Heading>
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
                . The link ends <DateTime time={data.expireTime} />.
              </>
            )}
          </p>
        </>
      )}
    </main>
  );
}

/** Why there is nothing to see. Who has a link knows no names of resources. */
function NotShown({ error }: { readonly error: StatusError }) {
  if (error.code !== "NOT_FOUND") return <Banner tone="error" error={error} />;
  return (
    <EmptyState title="This link does not open an answer">
      It has ended or was revoked, or a part of the address is missing. Ask who sent it for another one.
    </EmptyState>
  );
}
