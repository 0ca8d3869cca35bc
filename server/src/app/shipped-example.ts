import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { Clock, Logger } from "#base";
import { packFolder, type Resources } from "#resources";
import type { Storage } from "#storage";

const PARENT = "projects/local/locations/us";
const APP_ID = "order-desk";

/** The example app. */
export const EXAMPLE_APP = `${PARENT}/apps/${APP_ID}`;

/** Blob that marks the example as imported, so that an app that was deleted is not imported again. */
const IMPORTED_MARK = "shipped-example";

interface ShippedExampleDeps {
  readonly resources: Resources;
  readonly storage: Pick<Storage, "blobs">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Imports the example at the first start on a data folder, and never again. */
export async function importShippedExample(
  folder: string,
  { resources, storage, clock, logger }: ShippedExampleDeps,
): Promise<void> {
  if (await storage.blobs.get(IMPORTED_MARK)) return;
  const { zip } = await packFolder(folder, clock.now());
  const request = create(ImportAppRequestSchema, {
    parent: PARENT,
    appId: APP_ID,
    app: { case: "appContent", value: zip },
  });
  const { warnings = [] } = await resources.packages.importApp(request);
  for (const warning of warnings) logger.warn({ app: EXAMPLE_APP, warning }, "the example was imported with a warning");
  await storage.blobs.put(IMPORTED_MARK, Buffer.from(EXAMPLE_APP));
}
