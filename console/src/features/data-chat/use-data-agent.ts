import { useQuery } from "@connectrpc/connect-query";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { type StatusError, toStatusError } from "../../api/status-error.ts";

/** Milliseconds between two looks for an agent that is not there. */
const POLL_INTERVAL_MS = 2_000;

/** A data agent as far as it is known. */
export interface FoundAgent {
  readonly agent: DataAgent | undefined;
  /** The server has none of this name; it is looked for again all the time. */
  readonly missing: boolean;
  readonly error: StatusError | undefined;
}

/** Reads a data agent. A server that has just begun to serve is still making its example, so one that is missing may come. */
export function useDataAgent(name: string): FoundAgent {
  const { data, error } = useQuery(
    DataAgentService.method.getDataAgent,
    { name },
    { refetchInterval: ({ state }) => (state.data ? false : POLL_INTERVAL_MS) },
  );
  const status = error ? toStatusError(error) : undefined;
  const missing = data === undefined && status?.code === "NOT_FOUND";
  return { agent: data, missing, error: missing ? undefined : status };
}
