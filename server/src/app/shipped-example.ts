import { create } from "@bufbuild/protobuf";
import {
  AgentService,
  ImportAppRequestSchema,
  ListAppsRequestSchema,
  type ListAppsResponse,
} from "@frontdesk/protos/ces/agent_service";
import type { Logger } from "#base";
import { packFolder, type Resources } from "#resources";

const PARENT = "projects/local/locations/us";

/** The app a visitor meets first. */
export const EXAMPLE_APP = `${PARENT}/apps/order-desk`;

/** Imports the shipped example into a store that has no app at all under its location; answers whether it did. */
export async function importShippedExample(
  folder: string,
  { resources, logger }: { readonly resources: Resources; readonly logger: Logger },
): Promise<boolean> {
  const listed = (await resources.standard.invoke(
    AgentService.method.listApps,
    create(ListAppsRequestSchema, { parent: PARENT, pageSize: 1 }),
  )) as ListAppsResponse;
  if (listed.apps.length > 0) return false;
  const { bytes } = await packFolder(folder);
  const { warnings } = await resources.packages.importApp(
    create(ImportAppRequestSchema, { parent: PARENT, appId: "order-desk", app: { case: "appContent", value: bytes } }),
  );
  for (const warning of warnings) logger.warn({ app: EXAMPLE_APP, warning }, "the example was imported with a warning");
  return true;
}
