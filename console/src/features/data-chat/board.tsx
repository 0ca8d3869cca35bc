import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import type { DataAgent, DataAgent_PinnedQuestion as PinnedQuestion } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import type { RefreshSchedule } from "@frontdesk/protos/gda/refresh_schedule";
import { useQueryClient } from "@tanstack/react-query";
import { Pin, PinOff, RefreshCw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { toStatusError } from "../../api/status-error.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { type Answer, type ResultSet, resultSetOf } from "./answer.ts";
import { ChartPart } from "./chart-part.tsx";
import { DownloadRows } from "./download-rows.tsx";
import { ResultTable } from "./result-table.tsx";
import { ScheduleButton } from "./schedules/schedule-button.tsx";
import { ScheduleStatus } from "./schedules/schedule-status.tsx";
import { useSchedules } from "./schedules/use-schedules.ts";
import { useDataAgent } from "./use-data-chat.ts";

/** The pinned questions of a data agent, answered as of now; nothing where there are none. */
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
  readonly schedule: RefreshSchedule | undefined;
  readonly maySchedule: boolean;
}

function PinnedAnswer({ agent, pin, schedule, maySchedule }: PinnedAnswerProps) {
  const request = { name: agent.name, sqlQuery: pin.sqlQuery };
  const { data, error, isFetching, refetch } = useQuery(DataChatService.method.runStatement, request);
  const pins = usePins(agent);
  const rows = data?.result && resultSetOf(data.result);
  return (
    <article className="pinned stack tight" aria-label={pin.question}>
      <h3>{pin.question}</h3>
      {error && <Banner tone="error" error={toStatusError(error)} />}
      {pins.error && <Banner tone="error" error={toStatusError(pins.error)} />}
      {rows ? (
        <PinnedRows question={pin.question} rows={rows} chart={data?.vegaConfig} />
      ) : (
        isFetching && <Loading>Reading the rows…</Loading>
      )}
      {schedule && <ScheduleStatus schedule={schedule} />}
      <div className="row wrap">
        <Button small tone="plain" isDisabled={isFetching} onPress={() => void refetch()}>
          <RefreshCw size={15} aria-hidden="true" /> {isFetching ? "Refreshing…" : "Refresh"}
        </Button>
        {rows && !data?.vegaConfig && <DownloadRows rows={rows} />}
        {maySchedule && (
          <ScheduleButton
            agent={agent.name}
            question={pin.question}
            columns={rows?.columns.map(({ name }) => name) ?? []}
            schedule={schedule}
          />
        )}
        {pins.mayChange && (
          <Button small tone="plain" isDisabled={pins.isPending} onPress={() => pins.remove(pin.question)}>
            <PinOff size={15} aria-hidden="true" /> Unpin
          </Button>
        )}
      </div>
    </article>
  );
}

interface PinnedRowsProps {
  readonly question: string;
  readonly rows: ResultSet;
  readonly chart: object | undefined;
}

/** The chart of the rows, where they make one, and the rows beside it. */
function PinnedRows({ question, rows, chart }: PinnedRowsProps) {
  const [view, setView] = useState("chart");
  if (!chart) return <ResultTable rows={rows} />;
  return (
    <Tabs
      label={question}
      selected={view}
      onSelect={setView}
      items={[
        { id: "chart", label: "Chart", content: <ChartPart config={chart} title={question} /> },
        {
          id: "table",
          label: "Table",
          content: (
            <div className="stack tight">
              <ResultTable rows={rows} />
              <DownloadRows rows={rows} />
            </div>
          ),
        },
      ]}
    />
  );
}

interface PinAnswerProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly answer: Answer;
}

/** Keeps an answered question with its SQL on the board; nothing where the SQL has open parameters, or for people who may not change the agent. */
export function PinAnswer({ agent: name, answer: { question, parts } }: PinAnswerProps) {
  const { agent } = useDataAgent(name);
  const pins = usePins(agent);
  const sqlQuery = parts.findLast((part) => part.kind === "sql")?.sql;
  if (!agent || !pins.mayChange || !sqlQuery || /@\w/.test(sqlQuery) || !parts.some(({ kind }) => kind === "rows"))
    return null;
  const isPinned = agent.pinnedQuestions.some((pin) => pin.question === question);
  return (
    <div>
      {pins.error && <Banner tone="error" error={toStatusError(pins.error)} />}
      <Button
        small
        tone="plain"
        isDisabled={isPinned || pins.isPending}
        onPress={() => pins.add({ question, sqlQuery })}
      >
        <Pin size={15} aria-hidden="true" /> {isPinned ? "On the board" : "Pin to the board"}
      </Button>
    </div>
  );
}

/** Changes of the pins of an agent. */
function usePins(agent: DataAgent | undefined) {
  const may = useMay(agent?.name ?? "");
  const queries = useQueryClient();
  const update = useMutation(DataAgentService.method.updateDataAgentSync, {
    onSuccess: () =>
      queries.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: DataAgentService.method.getDataAgent, cardinality: "finite" }),
      }),
  });
  const pinned = agent?.pinnedQuestions ?? [];
  const save = (pinnedQuestions: readonly Pick<PinnedQuestion, "question" | "sqlQuery">[]) =>
    update.mutate({
      dataAgent: { name: agent?.name ?? "", pinnedQuestions: [...pinnedQuestions] },
      updateMask: { paths: ["pinned_questions"] },
    });
  return {
    mayChange: agent !== undefined && may("geminidataanalytics.dataAgents.update"),
    isPending: update.isPending,
    error: update.error,
    add: (pin: Pick<PinnedQuestion, "question" | "sqlQuery">) =>
      save([...pinned.filter(({ question }) => question !== pin.question), pin]),
    remove: (question: string) => save(pinned.filter((pin) => pin.question !== question)),
  };
}
