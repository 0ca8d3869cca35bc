import { type Clock, definedFields, type Egress, type Logger } from "#base";
import { createGoogleService, type TurnExports } from "#session";
import type { ExportStore, JobQueues } from "#storage";
import type { GoogleServiceConfig } from "../config/google-sections.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createDelivery } from "./delivery.ts";
import { readDestination } from "./destination.ts";
import { bigquerySender, loggingSender, type Send } from "./senders.ts";
import { exportRows } from "./turn-exports.ts";

/** The export of turns to BigQuery and Cloud Logging. */
interface ConversationExports extends TurnExports {
  /** Stops the delivery; rows that wait are delivered after the next start. */
  close(): Promise<void>;
}

interface ExportDeps {
  readonly store: ExportStore;
  readonly egress: Egress;
  readonly metrics: Pick<Metrics, "exports">;
  readonly jobs: JobQueues;
  readonly isClockDoubted: () => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the export, and delivers what the last run of the server left. */
export async function createConversationExports(config: Config, deps: ExportDeps): Promise<ConversationExports> {
  const { egress } = deps;
  const { bigqueryExport, cloudLogging } = config;
  const accessTo = (label: string, { endpoint, accessToken, timeoutMs }: GoogleServiceConfig) => ({
    service: createGoogleService({ label, egress, accessToken, timeoutMs }),
    ...definedFields({ endpoint }),
  });
  const bigquery = bigqueryExport && accessTo("BigQuery", bigqueryExport);
  const logging = cloudLogging && accessTo("Cloud Logging", cloudLogging);
  const senderOf = (name: string): Send | undefined => {
    const destination = readDestination(name);
    if (destination?.kind === "bigquery") return bigquery && bigquerySender(bigquery, destination);
    return logging && loggingSender(logging);
  };
  const delivery = await createDelivery({ ...deps, senderOf });
  delivery.wake();
  return { rowsOf: (turn) => exportRows(turn, config), stored: delivery.wake, close: delivery.close };
}
