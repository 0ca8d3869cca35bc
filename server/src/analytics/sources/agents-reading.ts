import type { Context } from "@frontdesk/protos/gda/context";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import type { ResourceStore } from "#storage";
import { allAgents } from "../agents/list-agents.ts";

/** A context of a chat, or of QueryData. */
export type DataContext = Pick<Context, "datasourceReferences">;

/** What references name: a table, or a database of which all tables are meant. */
interface NamedDataset {
  readonly projectId: string;
  readonly datasetId: string;
  /** "" where the database is named alone. */
  readonly tableId: string;
}

/** The datasets that a context names, by whatever kind of reference: those of uploaded files and connected databases can be named by each. */
export function datasetsOf({ datasourceReferences }: DataContext): readonly NamedDataset[] {
  const references = datasourceReferences?.references;
  switch (references?.case) {
    case "bq":
      return references.value.tableReferences;
    case "alloydb":
    case "spannerReference":
    case "cloudSqlReference": {
      const { projectId = "", databaseId = "", tableIds = [] } = references.value.databaseReference ?? {};
      return [{ projectId, datasetId: databaseId, tableId: tableIds[0] ?? "" }];
    }
    default:
      return [];
  }
}

/** The contexts that an agent has. */
export function contextsOfAgent({ type }: DataAgent): readonly Context[] {
  if (type.case !== "dataAnalyticsAgent") return [];
  const { stagingContext, publishedContext } = type.value;
  return [stagingContext, publishedContext].filter((context) => context !== undefined);
}

/** The agents of a location, except deleted ones, that name a dataset in one of their contexts. */
export async function agentsReading(
  store: Pick<ResourceStore, "list">,
  location: string,
  dataset: string,
): Promise<readonly DataAgent[]> {
  const agents = await allAgents(store, location);
  return agents.filter(
    (agent) =>
      !agent.deleteTime &&
      contextsOfAgent(agent).some((context) => datasetsOf(context).some(({ datasetId }) => datasetId === dataset)),
  );
}
