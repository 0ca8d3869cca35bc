import type { Tool } from "@frontdesk/protos/ces/tool";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { toolService } from "../../api/tool-client.ts";

/** Milliseconds for which the tools of a toolset are cached: reading them may call another server. */
const KNOWN = 60_000;

/** The query for the tools of one toolset; a changed toolset is queried again. */
export function toolsetQuery(toolset: string, etag: string) {
  return {
    queryKey: ["toolsetTools", toolset, etag],
    queryFn: async () => (await toolService.retrieveTools({ toolset })).tools,
    staleTime: KNOWN,
    meta: { immutable: true },
    retry: false,
  };
}

/** The tools of several toolsets in one list. A toolset that cannot be opened adds none; its page shows the error. */
export function useToolsetTools(toolsets: readonly Toolset[]): readonly Tool[] {
  const lists = useQueries({ queries: toolsets.map(({ name, etag }) => toolsetQuery(name, etag)) });
  const key = lists.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are new objects each time; their times show a change
  return useMemo(() => lists.flatMap(({ data }) => data ?? []), [key]);
}
