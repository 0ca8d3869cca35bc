import { useQuery } from "@connectrpc/connect-query";
import type { DataAgent, DataAgent_PinnedQuestion as PinnedQuestion } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import type { RefreshSchedule } from "@frontdesk/protos/gda/refresh_schedule";
import { RefreshCw } from "lucide-react";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Loading } from "../../components/loading.tsx";
import { resultSetOf, type WrittenStatement } from "./answer.ts";
import { Unpin } from "./pins.tsx";
import { ResultViews } from "./result-views.tsx";
import { ScheduleButton } from "./schedules/schedule-button.tsx";
import { ScheduleStatus } from "./schedules/schedule-status.tsx";
import { useSchedules } from "./schedules/use-schedules.ts";
import { ShareButton } from "./sharing/share-button.tsx";

/** The pinned questions of a data agent with their rows; nothing where there are none. */
export function Board({ agent }: { readonly agent: DataAgent }) {
  const schedules = useSchedules(agent.name);
  if (agent.pinnedQuestions.length === 0) return null;
  return (
    <section className="stack" aria-label="Board">
      <h2>Board</h2>
      {schedules.error && <Banner tone="error" error={toStatusError(schedules.error)} />}
      <div className="board">
        {agent.pinnedQuestions.map((pin) => (
          <PinnedAnswer
            key={pin.question}
            agent={agent}
            pin={pin}
            known={!schedules.isPending}
            schedule={schedules.schedules.find(({ question }) => question === pin.question)}
            maySchedule={schedules.mayChange}
          />
        ))}
      </div>
    </section>
  );
}

interface PinnedAnswerProps {
  readonly agent: DataAgent;
  readonly pin: PinnedQuestion;
  /** Whether it is known by now what is scheduled. */
  readonly known: boolean;
  readonly schedule: RefreshSchedule | undefined;
  readonly maySchedule: boolean;
}

function PinnedAnswer({ agent, pin, known, schedule, maySchedule }: PinnedAnswerProps) {
  const { error, isFetching, answer, refresh } = usePinnedRows(agent.name, pin, known, schedule);
  const rows = answer?.result && resultSetOf(answer.result);
  return (
    <article className="pinned stack tight" aria-label={pin.question}>
      <h3>{pin.question}</h3>
      {error && <Banner tone="error" error={toStatusError(error)} />}
      {rows ? (
        <ResultViews question={pin.question} rows={rows} chart={answer.vegaConfig} partial={answer.partialResult} />
      ) : (
        isFetching && <Loading>Reading the rows…</Loading>
      )}
      {answer?.time && (
        <p className="muted">
          As of <DateTime time={answer.time} />
        </p>
      )}
      {schedule && <ScheduleStatus schedule={schedule} />}
      <div className="row wrap">
        <Button small tone="plain" isDisabled={isFetching} onPress={refresh}>
          <RefreshCw size={15} aria-hidden="true" /> {isFetching ? "Refreshing…" : "Refresh"}
        </Button>
        {maySchedule && (
          <ScheduleButton
            agent={agent.name}
            question={pin.question}
            columns={rows?.columns.map(({ name }) => name) ?? []}
            schedule={schedule}
          />
        )}
        <ShareButton agent={agent.name} question={pin.question} statement={writtenIn(pin)} />
        <Unpin agent={agent} question={pin.question} schedule={schedule} />
      </div>
    </article>
  );
}

/** The rows that the last scheduled run kept, with their time; those of now where none are kept, or when the person asks for them. */
function usePinnedRows(
  name: string,
  { sqlQuery, modelQuery }: PinnedQuestion,
  known: boolean,
  schedule: RefreshSchedule | undefined,
) {
  const kept = useQuery(
    DataAgentService.method.getRefreshSchedule,
    { name: schedule?.name ?? "" },
    { enabled: schedule?.lastRunTime !== undefined, retry: false },
  );
  const isKept = kept.data?.lastResult?.result !== undefined;
  const isLookedFor = !known || kept.isLoading;
  const request = { name, sqlQuery, modelQuery };
  const now = useQuery(DataChatService.method.runStatement, request, { enabled: !isLookedFor && !isKept });
  const last = kept.data?.lastResult;
  const cachedTime = now.data?.result?.cachedTime;
  return {
    error: now.error,
    isFetching: isLookedFor || now.isFetching,
    answer: now.data ? { ...now.data, time: cachedTime } : last,
    refresh: () => void now.refetch(),
  };
}

function writtenIn({ sqlQuery, modelQuery }: PinnedQuestion): WrittenStatement {
  return modelQuery ? { modelQuery } : { sqlQuery };
}
