import { readFileSync } from "node:fs";
import { create, fromJson } from "@bufbuild/protobuf";
import { DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { CreateDataAgentRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { parse } from "yaml";
import type { DataStores } from "#analytics";
import type { JsonValue, Logger } from "#base";
import { Code, ConnectError } from "#status";
import type { Storage } from "#storage";
import type { DataSample } from "./data-sample.ts";

const PARENT = "projects/local/locations/us";
const AGENT_ID = "shop";

/** The agent over the sample shop, which a visitor asks first. */
export const EXAMPLE_DATA_AGENT = `${PARENT}/dataAgents/${AGENT_ID}`;

/** Kept in the data folder once the agent was made, so that deleting it is respected. */
const MADE = "shipped-data-agent";

export interface DataExampleDeps {
  readonly data: Pick<DataStores, "agents">;
  readonly sample: DataSample;
  readonly storage: Pick<Storage, "blobs">;
  readonly logger: Logger;
}

/** Makes the agent over the sample shop at the first start on a data folder; the shop itself is written while the server serves. */
export async function prepareDataExample(
  file: string,
  { data, sample, storage, logger }: DataExampleDeps,
): Promise<void> {
  if (await storage.blobs.get(MADE)) return;
  const dataAgent = fromJson(DataAgentSchema, parse(readFileSync(file, "utf8")) as JsonValue);
  const request = create(CreateDataAgentRequestSchema, { parent: PARENT, dataAgentId: AGENT_ID, dataAgent });
  await data.agents.create(request, "").catch((error: unknown) => {
    if (!(error instanceof ConnectError) || error.code !== Code.AlreadyExists) throw error;
  });
  await storage.blobs.put(MADE, Buffer.from(EXAMPLE_DATA_AGENT));
  sample.written().catch((error: unknown) => logger.error({ err: error }, "the sample shop could not be written"));
}
