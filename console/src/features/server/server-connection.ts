import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Milliseconds between two requests to `/healthz`: a stopped server is reported within three seconds. */
const POLL_INTERVAL_MS = 2_000;
/** Milliseconds after which a server that accepts connections and does not answer counts as stopped. */
const TIMEOUT_MS = 5_000;

/** Whether the server responds, polled while the tab is visible. When it is back, every query that failed is repeated at once. */
export function useServerConnection(): boolean {
  const queries = useQueryClient();
  const { isError } = useQuery({
    queryKey: ["healthz"],
    queryFn: ({ signal }) => readHealth(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
    staleTime: 0,
  });
  useEffect(() => {
    if (!isError) void queries.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
  }, [isError, queries]);
  return !isError;
}

/** Any answer of the server will do: an unhealthy one reports its state itself. A proxy that has lost it answers with an error. */
async function readHealth(signal: AbortSignal): Promise<true> {
  const answer = await fetch("/healthz", { signal });
  await answer.body?.cancel();
  if (answer.status >= 500) throw new Error(`The answer has status ${answer.status}.`);
  return true;
}
