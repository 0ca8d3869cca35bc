import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { useQueryClient } from "@tanstack/react-query";
import { useMay } from "../../../api/permissions.ts";

const MAY = "geminidataanalytics.refreshSchedules";

/** The schedules of a data agent's pinned questions; none for people who may not see them. */
export function useSchedules(agent: string) {
  const may = useMay(agent);
  const { data, error, isLoading } = useQuery(
    DataAgentService.method.listRefreshSchedules,
    { parent: agent, pageSize: 100 },
    { enabled: may(`${MAY}.list`) },
  );
  return { schedules: data?.refreshSchedules ?? [], isPending: isLoading, error, mayChange: may(`${MAY}.create`) };
}

/** Changes of schedules; the lists of all boards are read again after each. */
export function useScheduleChanges(onDone: () => void) {
  const queries = useQueryClient();
  const onSuccess = () => {
    const schema = DataAgentService.method.listRefreshSchedules;
    onDone();
    return queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: "finite" }) });
  };
  const create = useMutation(DataAgentService.method.createRefreshSchedule, { onSuccess });
  const update = useMutation(DataAgentService.method.updateRefreshSchedule, { onSuccess });
  const remove = useMutation(DataAgentService.method.deleteRefreshSchedule, { onSuccess });
  const all = [create, update, remove];
  return {
    create,
    update,
    remove,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
  };
}
