import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { Clock, Logger } from "#base";
import { packFolder, type Resources } from "#resources";
import type { Storage } from "#storage";

const PARENT = "projects/local/locations/us";
const APP_ID = "order-desk";

/** The app a visitor meets first. */
export const EXAMPLE_APP = `${PARENT}/apps/${APP_ID}`;

/** Kept in the data folder once the example was imported, so that deleting the app is respected. */
const IMPORTED = "shipped-example";

export interface ShippedExampleDeps {
  readonly resources: Resources;
  readonly storage: Pick<Storage, "blobs">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Imports the shipped example at the first start on a data folder, and never again. */
export async function importShippedExample(
  folder: string,
  { resources, storage, clock, logger }: ShippedExampleDeps,
): Promise<void> {
  if (await storage.blobs.get(IMPORTED)) return;
  const { zip } = await packFolder(folder, clock.now());
  const request = create(ImportAppRequestSchema, {
    parent: PARENT,
    appId: APP_ID,
    app: { case: "appContent", value: zip },
  });
  const { warnings = [] } = await resources.packages.importApp(request);
  for (const warning of warnings) logger.warn({ app: EXAMPLE_APP, warning }, "the example was imported with a warning");
  await storage.blobs.put(IMPORTED, Buffer.from(EXAMPLE_APP));
}
