import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import type { DataAgent, DataAgent_PinnedQuestion as PinnedQuestion } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import type { RefreshSchedule } from "@frontdesk/protos/gda/refresh_schedule";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pin, PinOff } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/permissions.ts";
import { toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { type Answer, repeatableStatementOf, type WrittenStatement } from "./answer.ts";
import { useDataAgent } from "./use-data-chat.ts";

interface PinAnswerProps {
  /** Resource name of the data agent. */
  readonly agent: string;
  readonly answer: Answer;
}

/** Keeps an answered question with its query on the board; nothing where SQL has open parameters, or for people who may not change the agent. */
export function PinAnswer({ agent: name, answer }: PinAnswerProps) {
  const { agent } = useDataAgent(name);
  const pins = usePins(agent);
  const { question } = answer;
  const statement = repeatableStatementOf(answer);
  if (!agent || !pins.mayChange || !statement) return null;
  const isPinned = agent.pinnedQuestions.some((pin) => pin.question === question);
  return (
    <div>
      {pins.error && <Banner tone="error" error={toStatusError(pins.error)} />}
      <Button
        small
        tone="plain"
        isDisabled={isPinned || pins.isPending}
        onPress={() => pins.add({ question, ...statement })}
      >
        <Pin size={15} aria-hidden="true" /> {isPinned ? "On the board" : "Pin to the board"}
      </Button>
    </div>
  );
}

interface UnpinProps {
  readonly agent: DataAgent;
  readonly question: string;
  readonly schedule: RefreshSchedule | undefined;
}

/** Takes a question from the board. Its schedule goes, too, so the person is asked. */
export function Unpin({ agent, question, schedule }: UnpinProps) {
  const pins = usePins(agent);
  const [asking, setAsking] = useState(false);
  if (!pins.mayChange) return null;
  return (
    <>
      {pins.error && !asking && <Banner tone="error" error={toStatusError(pins.error)} />}
      <Button
        small
        tone="plain"
        isDisabled={pins.isPending}
        onPress={() => (schedule ? setAsking(true) : pins.remove(question))}
      >
        <PinOff size={15} aria-hidden="true" /> Unpin
      </Button>
      {schedule && (
        <Dialog title="Unpin this question?" open={asking} onClose={() => setAsking(false)}>
          <div className="stack">
            <p>“{question}” is refreshed on a schedule. Its schedule and its alert are deleted, too.</p>
            {pins.error && <Banner tone="error" error={toStatusError(pins.error)} />}
          </div>
          <DialogActions
            tone="danger"
            action="Unpin and delete the schedule"
            running={pins.isPending}
            onAction={() => pins.remove(question)}
            onCancel={() => setAsking(false)}
          />
        </Dialog>
      )}
    </>
  );
}

type NewPin = Pick<PinnedQuestion, "question"> & WrittenStatement;

const client = createClient(DataAgentService, transport);

/** Changes the board as it is now: when somebody else changes the agent meanwhile, it is read again. */
async function changePins(name: string, change: (pins: readonly PinnedQuestion[]) => (PinnedQuestion | NewPin)[]) {
  for (;;) {
    const { etag, pinnedQuestions } = await client.getDataAgent({ name });
    const dataAgent = { name, etag, pinnedQuestions: change(pinnedQuestions) };
    try {
      return await client.updateDataAgentSync({ dataAgent, updateMask: { paths: ["pinned_questions"] } });
    } catch (error) {
      if (toStatusError(error).code !== "ABORTED") throw error;
    }
  }
}

/** Changes of the pins of an agent. */
function usePins(agent: DataAgent | undefined) {
  const name = agent?.name ?? "";
  const may = useMay(name);
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: (change: Parameters<typeof changePins>[1]) => changePins(name, change),
    onSuccess: () => {
      const { getDataAgent, listRefreshSchedules } = DataAgentService.method;
      const keys = [
        createConnectQueryKey({ schema: getDataAgent, cardinality: "finite" }),
        createConnectQueryKey({ schema: listRefreshSchedules, cardinality: "finite" }),
      ];
      return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const without = (pins: readonly PinnedQuestion[], question: string) =>
    pins.filter((pin) => pin.question !== question);
  return {
    mayChange: agent !== undefined && may("geminidataanalytics.dataAgents.update"),
    isPending: update.isPending,
    error: update.error,
    add: (pin: NewPin) => update.mutate((pins) => [...without(pins, pin.question), pin]),
    remove: (question: string) => update.mutate((pins) => without(pins, question)),
  };
}
