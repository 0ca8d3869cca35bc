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

/** The data agent over the sample shop. */
const EXAMPLE_DATA_AGENT = `${PARENT}/dataAgents/${AGENT_ID}`;

/** Blob that marks the agent as created, so that an agent that was deleted is not created again. */
const CREATED_MARK = "shipped-data-agent";

interface DataExampleDeps {
  readonly data: Pick<DataStores, "agents">;
  readonly sample: DataSample;
  readonly storage: Pick<Storage, "blobs">;
  readonly logger: Logger;
}

/** Creates the agent over the sample shop at the first start on a data folder. The sample itself is written in the background. */
export async function prepareDataExample(
  file: string,
  { data, sample, storage, logger }: DataExampleDeps,
): Promise<void> {
  if (await storage.blobs.get(CREATED_MARK)) return;
  const dataAgent = fromJson(DataAgentSchema, parse(readFileSync(file, "utf8")) as JsonValue);
  const request = create(CreateDataAgentRequestSchema, { parent: PARENT, dataAgentId: AGENT_ID, dataAgent });
  await data.agents.create(request).catch((error: unknown) => {
    if (!(error instanceof ConnectError) || error.code !== Code.AlreadyExists) throw error;
  });
  await storage.blobs.put(CREATED_MARK, Buffer.from(EXAMPLE_DATA_AGENT));
  sample.written().catch((error: unknown) => logger.error({ err: error }, "the sample shop could not be written"));
}
