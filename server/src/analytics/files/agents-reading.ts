import type { Context } from "@frontdesk/protos/gda/context";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import type { ResourceStore } from "#storage";
import { allAgents } from "../agents/list-agents.ts";
import { partsOf } from "./data-file-name.ts";

/** A context of a chat, or of QueryData. */
export type DataContext = Pick<Context, "datasourceReferences">;

/** The BigQuery tables that a context names; tables of uploaded files are named like them. */
export function tablesOf({ datasourceReferences }: DataContext) {
  const references = datasourceReferences?.references;
  return references?.case === "bq" ? references.value.tableReferences : [];
}

/** The contexts that an agent has. */
export function contextsOfAgent({ type }: DataAgent): readonly Context[] {
  if (type.case !== "dataAnalyticsAgent") return [];
  const { stagingContext, publishedContext } = type.value;
  return [stagingContext, publishedContext].filter((context) => context !== undefined);
}

/** The agents, except deleted ones, that name a table of a file in one of their contexts. */
export async function agentsReading(store: Pick<ResourceStore, "list">, file: string): Promise<readonly DataAgent[]> {
  const { location, dataset } = partsOf(file);
  const agents = await allAgents(store, location);
  return agents.filter(
    (agent) =>
      !agent.deleteTime &&
      contextsOfAgent(agent).some((context) => tablesOf(context).some(({ datasetId }) => datasetId === dataset)),
  );
}
